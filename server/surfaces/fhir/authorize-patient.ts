import type { Caller, OrganizationCaller, PatientCaller } from '../../../contract/audience.ts';
import { PatientId } from '../../../contract/brands.ts';
import type { AuditAction } from '../../platform/audit/actions.ts';
import { createWrongPatientRefusal, partnerAccessFor } from '../../consent/access/partner-access.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import { maybeOne } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import {
  auditRefusal,
  authorizeRecord,
  findSharedRecord,
  type AuthorizedRecord,
  type FhirDeps,
} from './authorize-record.ts';
import { selectResource, selectSharingOwners } from './read.sql.ts';

/** A read that names a Patient: by the id of the person, or by that of a Patient in a record. */
interface PatientRead {
  caller: Caller;
  id: string;
  action: AuditAction;
}

/**
 * Checks what the caller may read of the record that a Patient is of. An id is the person's before it is that of a resource:
 * whatever Patient a document brings, it does not take the place of somebody who shares. Whoever is not shared is refused like
 * nobody, as by `authorizeRecord`.
 */
export async function authorizePatient(deps: FhirDeps, read: PatientRead): Promise<AuthorizedRecord> {
  const { caller, id, action } = read;
  if (caller.kind === 'patient') return authorizeOwnPatient(deps, { ...read, caller });
  const patientId = PatientId.safeParse(id).data;
  const record =
    (patientId && (await findSharedRecord(deps, caller, patientId))) ??
    (await findRecordOfPatient(deps, { caller, id, action }));
  if (record) return record;
  await auditRefusal(deps, { caller, patientId, action, reason: 'access_revoked' });
  throw createNotSharedRefusal();
}

async function authorizeOwnPatient(
  deps: FhirDeps,
  { caller, id, action }: PatientRead & { caller: PatientCaller },
): Promise<AuthorizedRecord> {
  const { patientId } = caller;
  const own = partnerAccessFor(caller, patientId);
  const names = { type: 'Patient', id, now: deps.clock.now() };
  if (id !== patientId && !(await maybeOne(deps.db, selectResource(own, names))))
    throw createWrongPatientRefusal();
  return authorizeRecord(deps, { caller, patientId, action });
}

/** Finds the record with a Patient of this id that the organization may read; throws `multiple_matches` for several. */
async function findRecordOfPatient(
  deps: FhirDeps,
  { caller, id, action }: PatientRead & { caller: OrganizationCaller },
): Promise<AuthorizedRecord | null> {
  const names = { type: 'Patient', id, now: deps.clock.now() };
  const [first, second] = await deps.db.query(selectSharingOwners(caller, names));
  if (second) {
    await auditRefusal(deps, { caller, action, reason: 'multiple_matches' });
    throw new Refusal(409, 'multiple_matches', {
      detail:
        'Several patients have a Patient with this id; name the person: Person/{patientId}/$everything.',
    });
  }
  return first ? findSharedRecord(deps, caller, first.patient_id) : null;
}
