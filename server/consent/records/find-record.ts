import type { Caller } from '../../../contract/audience.ts';
import type { ConsentRecordId } from '../../../contract/brands.ts';
import { forbidden, notFound } from '../../platform/kernel/refusal.ts';
import { maybeOne, type Queryable } from '../../platform/db/db.ts';
import { requireAccount } from './find-patient.ts';
import { selectPatientOfRecord } from './lookups.sql.ts';
import { selectConsentRecords, type StoredRecordRow } from './records.sql.ts';

/**
 * A record for those who may see it: its patient, whatever the organization, and its organization, also when the consent
 * is withdrawn or over, since a record is the evidence of what was permitted then.
 */
export async function findRecord(
  db: Queryable,
  caller: Caller,
  consentRecordId: ConsentRecordId,
): Promise<StoredRecordRow> {
  const route = await maybeOne(db, selectPatientOfRecord(consentRecordId));
  const record = route && (await maybeOne(db, selectConsentRecords(route.patient_id, [consentRecordId])));
  if (!record) throw notFound('The consent record');
  if (caller.kind === 'patient') {
    if (record.patient_id !== caller.patientId)
      throw forbidden('The consent record is not of the patient of this token.', 'wrong_patient');
    await requireAccount(db, caller);
  } else if (record.organization_id !== caller.organizationId)
    throw forbidden('The consent record is of another organization.', 'wrong_organization');
  return record;
}
