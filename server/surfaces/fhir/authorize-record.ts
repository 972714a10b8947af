import type { Caller } from '../../../contract/audience.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { toActor, type Audit, type AuditEntry } from '../../platform/audit/append.ts';
import { partnerAccessFor, type PartnerAccess } from '../../consent/access/partner-access.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { notFound, unauthorized } from '../../platform/kernel/refusal.ts';
import { one, type Db } from '../../platform/db/db.ts';
import { selectRecordSummary, type RecordSummaryRow } from './record.sql.ts';
import { accessRevoked } from './read-chunks.ts';

export interface FhirDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  baseUrl: string;
}

export interface AuthorizedRecord extends RecordSummaryRow {
  access: PartnerAccess;
  caller: Caller;
}

/** Checks what the caller may read of the patient now. Throws 404, `access_revoked`, or 401 for a patient whose account was deleted. */
export async function authorizeRecord(
  deps: FhirDeps,
  { caller, patientId, action }: { caller: Caller; patientId: PatientId; action: string },
): Promise<AuthorizedRecord> {
  const access = partnerAccessFor(caller, patientId);
  const row = await one(deps.db, selectRecordSummary(access, deps.clock.now()));
  if (!row.known) throw caller.kind === 'patient' ? unauthorized() : notFound('The patient');
  if (!row.permitted) {
    const detail = { reason: 'access_revoked' };
    await deps.audit.append({ ...buildAuditEntry(caller, patientId), action, outcome: 'refused', detail });
    throw accessRevoked();
  }
  return { ...row, access, caller };
}

type ReadReport = Pick<AuditEntry, 'action' | 'detail'>;

/** Audits who read the record under which consent; durable before a byte of the record is sent. */
export const auditRead = (
  { audit }: FhirDeps,
  { caller, access, consent_record_id: recordId, project_id: projectId }: AuthorizedRecord,
  report: ReadReport,
): Promise<void> =>
  audit.append({
    ...buildAuditEntry(caller, access.patientId),
    ...(recordId !== null && { consentRecordId: recordId as ConsentRecordId }),
    ...(projectId !== null && { projectId: projectId as ProjectId }),
    ...report,
  });

const buildAuditEntry = (caller: Caller, patientId: PatientId) => ({
  organizationId: caller.organizationId,
  actor: toActor(caller),
  patientId,
  ...(caller.kind === 'patient' && { client: caller.client, projectId: caller.projectId }),
});
