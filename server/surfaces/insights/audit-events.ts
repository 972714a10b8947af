import type {
  AuditEvent,
  AuditVerification,
  RecordRead,
} from '../../../contract/organization/audit-events.ts';
import { PatientId, type OrganizationId } from '../../../contract/brands.ts';
import { toReadEntry } from '../../consent/records/read-entry.ts';
import type { EntryFilter, LogPage, ReadFilter } from '../../platform/audit/entries.sql.ts';
import { toPage, withLookahead, type EntryPage } from '../../platform/audit/entry-page.ts';
import {
  findCheckpoints,
  findVerification,
  type KeptFault,
  type VerificationRow,
} from '../../platform/audit/verification.sql.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import * as statements from './audit-events.sql.ts';

export async function listAuditEvents(
  db: Db,
  filter: EntryFilter,
  page: LogPage,
): Promise<EntryPage<AuditEvent>> {
  return toPage(await db.query(statements.findAuditEvents(filter, withLookahead(page))), page, toAuditEvent);
}

/** Returns the one patient whose entries a filter selects, named as the subject or as who acted; null: entries of many, or none. */
export async function findFilteredPatient(
  db: Db,
  { organizationId, patientId, actorId, actorKind = ['patient'] }: EntryFilter,
): Promise<PatientId | null> {
  if (patientId === undefined && (actorId === undefined || !actorKind.includes('patient'))) return null;
  const filter = patientId === undefined ? { actorId, actorKind: ['patient'] as const } : { patientId };
  const [newest] = await db.query(statements.findAuditEvents({ organizationId, ...filter }, { limit: 1 }));
  return PatientId.nullable().parse(newest?.patient_id ?? null);
}

export async function listRecordReads(
  db: Db,
  filter: ReadFilter,
  page: LogPage,
): Promise<EntryPage<RecordRead>> {
  const rows = await db.query(statements.findRecordReads(filter, withLookahead(page)));
  return toPage(rows, page, (row) => ({ ...toReadEntry(row), patientId: row.patient_id }));
}

/** Returns a page of an organization's checkpoints with what the service's own verification found last. */
export async function listCheckpoints(
  db: Db,
  organizationId: OrganizationId,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
) {
  const rows = await db.query(findCheckpoints(organizationId, { limit: limit + 1, before }));
  const page = rows.slice(0, limit);
  return {
    verification: await getVerification(db, organizationId),
    results: page.map(({ sealed_at: sealedAt, ...row }) => ({ ...row, sealedAt: sealedAt.toISOString() })),
    next: rows.length > limit ? (page.at(-1)?.block ?? null) : null,
  };
}

async function getVerification(db: Db, organizationId: OrganizationId): Promise<AuditVerification | null> {
  const row = await maybeOne(db, findVerification(organizationId));
  return row && toVerification(row);
}

const toVerification = ({ verified_at: at, block, entries, fault }: VerificationRow): AuditVerification => ({
  at: at.toISOString(),
  block,
  entries,
  fault: fault === null ? null : (JSON.parse(fault) as KeptFault),
});

const TARGET_KINDS = new Set<string>(['api_key', 'client', 'member', 'project', 'source', 'webhook']);

/** Actions begin with the kind of what they are done to. */
function toTarget({ action, target_name: name }: statements.AuditEventRow): AuditEvent['target'] {
  const [kind = ''] = action.split('.');
  return name !== null && TARGET_KINDS.has(kind)
    ? { kind: kind as NonNullable<AuditEvent['target']>['kind'], name }
    : null;
}

const toAuditEvent = (row: statements.AuditEventRow): AuditEvent => ({
  id: row.entry_id,
  at: row.at.toISOString(),
  action: row.action,
  outcome: row.outcome,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  client: row.client,
  projectId: row.project_id,
  patientId: row.patient_id,
  consentRecordId: row.consent_record_id,
  target: toTarget(row),
  detail: JSON.parse(row.detail) as Record<string, unknown>,
  block: row.block,
});
