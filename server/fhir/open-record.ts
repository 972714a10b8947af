import type { Caller } from '../../contract/audience.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../contract/ids.ts';
import { actorOf, type Audit, type AuditEntry } from '../audit/append.ts';
import { partnerAccess, type PartnerAccess } from '../consent/partner-access.ts';
import type { Clock } from '../kernel/clock.ts';
import { notFound, unauthorized } from '../kernel/refusal.ts';
import { one, type Db } from '../storage/db.ts';
import { opening, type OpeningRow } from './record.sql.ts';
import { accessRevoked } from './stretches.ts';

export interface FhirDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  baseUrl: string;
}

export interface OpenRecord extends OpeningRow {
  access: PartnerAccess;
  caller: Caller;
}

/** What the caller may read of the patient now. Throws 404, `access_revoked`, or 401 for a patient whose account is gone. */
export async function openRecord(
  deps: FhirDeps,
  { caller, patientId, action }: { caller: Caller; patientId: PatientId; action: string },
): Promise<OpenRecord> {
  const access = partnerAccess(caller, patientId);
  const row = await one(deps.db, opening(access, deps.clock.now()));
  if (!row.known) throw caller.kind === 'patient' ? unauthorized() : notFound('The patient');
  if (!row.permitted) {
    const detail = { reason: 'access_revoked' };
    await deps.audit.append({ ...entryOf(caller, patientId), action, outcome: 'refused', detail });
    throw accessRevoked();
  }
  return { ...row, access, caller };
}

type Reported = Pick<AuditEntry, 'action' | 'detail'>;

/** Who read it, and under which consent; durable before a byte of the record leaves. */
export const auditReading = (
  { audit }: FhirDeps,
  { caller, access, consent_record_id: recordId, project_id: projectId }: OpenRecord,
  reported: Reported,
): Promise<void> =>
  audit.append({
    ...entryOf(caller, access.patientId),
    ...(recordId !== null && { consentRecordId: recordId as ConsentRecordId }),
    ...(projectId !== null && { projectId: projectId as ProjectId }),
    ...reported,
  });

const entryOf = (caller: Caller, patientId: PatientId) => ({
  organizationId: caller.organizationId,
  actor: actorOf(caller),
  patientId,
  ...(caller.kind === 'patient' && { client: caller.client, projectId: caller.projectId }),
});
