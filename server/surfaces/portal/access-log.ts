import type { AccessLogEntry } from '../../../contract/account/access-log.ts';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import { unauthorized } from '../../platform/kernel/refusal.ts';
import { maybeOne, one, type Db } from '../../platform/db/db.ts';
import type { LogPage } from '../../platform/audit/entries.sql.ts';
import { toPage, withLookahead, type EntryPage } from '../../platform/audit/entry-page.ts';
import { toReadEntry } from '../../consent/records/read-entry.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import { selectAccountById, selectHasTakenPart } from '../../consent/records/find-patient.sql.ts';
import { type AccessLogRow, selectAccessLog } from './access-log.sql.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';

export interface AccessLogDeps {
  db: Db;
  audit: Audit;
}

/** Returns a patient's entries of all organizations, for the patient. */
export const getMyAccessLog = ({ db }: AccessLogDeps, patientId: PatientId, page: LogPage) =>
  findAccessLog(db, { patientId, organizationId: null }, page);

/** Likewise for an access token, which may outlive its account by an hour. */
export async function getTokenAccessLog(
  deps: AccessLogDeps,
  patientId: PatientId,
  page: LogPage,
): Promise<EntryPage<AccessLogEntry>> {
  if (!(await maybeOne(deps.db, selectAccountById(patientId)))) throw unauthorized();
  return getMyAccessLog(deps, patientId, page);
}

/** Returns a patient's entries of the caller's organization; this read is itself an entry, durable before the answer. */
export async function getPatientAccessLog(
  { db, audit }: AccessLogDeps,
  { caller, patientId }: { caller: OrganizationCaller; patientId: PatientId },
  page: LogPage,
): Promise<EntryPage<AccessLogEntry>> {
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
): Promise<EntryPage<AccessLogEntry>> {
  const rows = await db.query(selectAccessLog(scope, withLookahead(page)));
  return toPage(rows, page, toAccessLogEntry);
}

const toAccessLogEntry = (row: AccessLogRow): AccessLogEntry => ({
  ...toReadEntry(row),
  organization: { id: row.organization_id, name: row.organization_name },
});
