import type { z } from 'zod';
import { AccessLogEntry, type listAuditEvents } from '../../../contract/account/access-log.ts';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import { unauthorized } from '../../platform/kernel/refusal.ts';
import { maybeOne, one, type Db } from '../../platform/db/db.ts';
import {
  type AuditEventRow,
  type LogPage,
  selectOrganizationEntries,
} from '../../platform/audit/entries.sql.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import { selectAccountById, selectHasTakenPart } from '../../consent/records/find-patient.sql.ts';
import { type AccessLogRow, selectAccessLog } from './access-log.sql.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';

export interface AccessLogDeps {
  db: Db;
  audit: Audit;
}

interface Page<Entry> {
  results: Entry[];
  next: string | null;
}

/** Returns a patient's entries of all organizations, for the patient. */
export const getMyAccessLog = ({ db }: AccessLogDeps, patientId: PatientId, page: LogPage) =>
  findAccessLog(db, { patientId, organizationId: null }, page);

/** Likewise for an access token, which may outlive its account by an hour. */
export async function getTokenAccessLog(
  deps: AccessLogDeps,
  patientId: PatientId,
  page: LogPage,
): Promise<Page<AccessLogEntry>> {
  if (!(await maybeOne(deps.db, selectAccountById(patientId)))) throw unauthorized();
  return getMyAccessLog(deps, patientId, page);
}

/** Returns a patient's entries of the caller's organization; this read is itself an entry, durable before the answer. */
export async function getPatientAccessLog(
  { db, audit }: AccessLogDeps,
  { caller, patientId }: { caller: OrganizationCaller; patientId: PatientId },
  page: LogPage,
): Promise<Page<AccessLogEntry>> {
  const { organizationId } = caller;
  const { took_part: hasTakenPart } = await one(db, selectHasTakenPart(patientId, organizationId));
  if (!hasTakenPart) throw createNotSharedRefusal();
  const answer = await findAccessLog(db, { patientId, organizationId }, page);
  await audit.append({ organizationId, action: 'access_log.viewed', actor: toActor(caller), patientId });
  return answer;
}

async function findAccessLog(
  db: Db,
  scope: { patientId: PatientId; organizationId: OrganizationId | null },
  page: LogPage,
): Promise<Page<AccessLogEntry>> {
  const rows = await db.query(selectAccessLog(scope, withLookahead(page)));
  return toPage(rows, page, toAccessLogEntry);
}

type AuditEvent = z.infer<(typeof listAuditEvents)['response']>['results'][number];

export async function findAuditEvents(
  { db }: AccessLogDeps,
  scope: { organizationId: OrganizationId; action?: string | undefined },
  page: LogPage,
): Promise<Page<AuditEvent>> {
  const rows = await db.query(selectOrganizationEntries(scope, withLookahead(page)));
  return toPage(rows, page, toAuditEvent);
}

/** One row beyond the page shows whether there is another page. */
const withLookahead = (page: LogPage): LogPage => ({ ...page, limit: page.limit + 1 });

function toPage<Row extends { entry_id: string }, Entry>(
  rows: readonly Row[],
  { limit }: LogPage,
  toItem: (row: Row) => Entry,
): Page<Entry> {
  const page = rows.slice(0, limit);
  return {
    results: page.map(toItem),
    next: rows.length > limit ? (page.at(-1)?.entry_id ?? null) : null,
  };
}

/** The fields of an entry's detail that the access log shows; which are present, and of which type, differs by action. */
const DetailFields = AccessLogEntry.pick({
  tool: true,
  categories: true,
  notShared: true,
  types: true,
  entries: true,
  whole: true,
  from: true,
  until: true,
  reason: true,
}).shape;

function toAccessLogEntry(row: AccessLogRow): AccessLogEntry {
  const detail = JSON.parse(row.detail) as Record<string, unknown>;
  const readDetail = <Name extends keyof typeof DetailFields>(
    name: Name,
    fallback: z.infer<(typeof DetailFields)[Name]>,
  ) => (DetailFields[name].safeParse(detail[name]).data ?? fallback) as z.infer<(typeof DetailFields)[Name]>;
  return {
    id: row.entry_id,
    at: row.at.toISOString(),
    action: row.action,
    outcome: row.outcome,
    actor: { kind: row.actor_kind, id: row.actor_id },
    client: row.client === null ? null : { id: row.client, name: row.client_name },
    organization: { id: row.organization_id, name: row.organization_name },
    project:
      row.project_id === null || row.project_name === null
        ? null
        : { id: row.project_id, name: row.project_name },
    consentRecordId: row.consent_record_id,
    tool: readDetail('tool', null),
    categories: readDetail('categories', []),
    notShared: readDetail('notShared', []),
    types: readDetail('types', toTypes(detail['type'])),
    entries: readDetail('entries', null),
    whole: readDetail('whole', false),
    from: readDetail('from', null),
    until: readDetail('until', null),
    reason: readDetail('reason', null),
  };
}

/** A read of one resource has its type in `type`. */
const toTypes = (type: unknown): string[] => (typeof type === 'string' ? [type] : []);

const toAuditEvent = (row: AuditEventRow): AuditEvent => ({
  id: row.entry_id,
  at: row.at.toISOString(),
  action: row.action,
  outcome: row.outcome,
  actor: { kind: row.actor_kind, id: row.actor_id },
  client: row.client,
  projectId: row.project_id,
  patientId: row.patient_id,
  consentRecordId: row.consent_record_id,
  detail: JSON.parse(row.detail) as Record<string, unknown>,
  block: row.block,
});
