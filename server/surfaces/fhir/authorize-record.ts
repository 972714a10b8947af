import type { AuditAction } from '../../platform/audit/actions.ts';
import type { Caller } from '../../../contract/audience.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { toActor, type Audit, type AuditEntry } from '../../platform/audit/append.ts';
import { partnerAccessFor, type PartnerAccess } from '../../consent/access/partner-access.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { NumberSeal } from '../../platform/kernel/sealed-numbers.ts';
import { unauthorized } from '../../platform/kernel/refusal.ts';
import { one, type Db } from '../../platform/db/db.ts';
import { selectRecordSummary, type RecordSummaryRow } from './record.sql.ts';

export interface FhirDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  baseUrl: string;
  /** Seals what paging links hold, under a key that all nodes share. */
  cursorSeal(): Promise<NumberSeal>;
}

export interface AuthorizedRecord extends RecordSummaryRow {
  access: PartnerAccess;
  caller: Caller;
}

/** A read that names a patient. */
interface NamedRead {
  caller: Caller;
  patientId: PatientId;
  action: AuditAction;
}

/**
 * Checks what the caller may read of the patient now. Throws `no_consent`, whether or not there is such a patient, or 401
 * for a patient whose account was deleted.
 */
export async function authorizeRecord(deps: FhirDeps, read: NamedRead): Promise<AuthorizedRecord> {
  const record = await findSharedRecord(deps, read.caller, read.patientId);
  if (record) return record;
  await auditRefusal(deps, { ...read, reason: 'access_revoked' });
  throw createNotSharedRefusal();
}

/** Returns what the caller may read of the patient now; null for a patient who does not share, or does not exist. */
export async function findSharedRecord(
  { db, clock }: FhirDeps,
  caller: Caller,
  patientId: PatientId,
): Promise<AuthorizedRecord | null> {
  const access = partnerAccessFor(caller, patientId);
  const row = await one(db, selectRecordSummary(access, clock.now()));
  if (!row.known && caller.kind === 'patient') throw unauthorized();
  return row.permitted ? { ...row, access, caller } : null;
}

/** Why a read was refused: no consent is in force, or what the code of its refusal says. */
type RefusedBecause = 'access_revoked' | 'not_found' | 'multiple_matches' | 'traversal_expired';

/**
 * Audits a refused read. It is written for ids that name nobody too: otherwise the log, and the time of the answer, most of
 * which is the commit of this entry, would show who exists.
 */
export const auditRefusal = (
  { audit }: FhirDeps,
  {
    caller,
    patientId,
    action,
    reason,
  }: Omit<NamedRead, 'patientId'> & { patientId?: PatientId | undefined; reason: RefusedBecause },
): Promise<string> =>
  audit.append({
    ...buildAuditEntry(caller, patientId),
    action,
    outcome: 'refused',
    detail: { reason, ...markOwnRead(caller) },
  });

/**
 * Audits a read of a permitted record that is answered with nothing of it. What a consent leaves out and what does not exist are
 * one entry.
 */
export const auditNothingRead = (
  deps: FhirDeps,
  record: AuthorizedRecord,
  { action, ...detail }: { action: AuditAction; reason: RefusedBecause; type?: string },
): Promise<string> => auditRead(deps, record, { action, outcome: 'refused', detail });

type ReadReport = Pick<AuditEntry, 'action' | 'outcome' | 'detail'>;

/**
 * Audits who read the record under which consent; durable before a byte of the record is sent. Resolves with the id of the
 * entry.
 */
export const auditRead = (
  { audit }: FhirDeps,
  { caller, access, consent_record_id: recordId, project_id: projectId }: AuthorizedRecord,
  report: ReadReport,
): Promise<string> =>
  audit.append({
    ...buildAuditEntry(caller, access.patientId),
    ...(recordId !== null && { consentRecordId: recordId as ConsentRecordId }),
    ...(projectId !== null && { projectId: projectId as ProjectId }),
    ...report,
    detail: { ...report.detail, ...markOwnRead(caller) },
  });

/**
 * A patient reads all of their own record, whatever a consent leaves out, so that no organization learns of it. A test patient's
 * token is used by the organization that made them, whose log says so.
 */
const markOwnRead = (caller: Caller): { patientsOnly?: true } =>
  caller.kind === 'patient' && !caller.isTestPatient ? { patientsOnly: true } : {};

const buildAuditEntry = (caller: Caller, patientId: PatientId | undefined) => ({
  organizationId: caller.organizationId,
  actor: toActor(caller),
  ...(patientId !== undefined && { patientId }),
  ...(caller.kind === 'patient' && { client: caller.client, projectId: caller.projectId }),
});
