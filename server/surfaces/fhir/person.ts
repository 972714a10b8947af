import type { PatientId } from '../../../contract/brands.ts';
import { parseBirthDate } from './patient-body.ts';
import type { LinkedPatientRow, RecordSummaryRow } from './record.sql.ts';

interface PersonInput extends Pick<
  RecordSummaryRow,
  'first_name' | 'last_name' | 'date_of_birth' | 'created_at' | 'demographics'
> {
  patientId: PatientId;
  /** Of the record, as far as they may be read. */
  patients: readonly LinkedPatientRow[];
}

/**
 * The person that the record is of, as the account knows them; the Patients that documents brought are linked. The record's
 * birth date stands in where the account has none and the record tells just one.
 */
export function buildPersonResource({ patientId, patients, ...account }: PersonInput): object {
  const { first_name: given, last_name: family, created_at: createdAt } = account;
  const birthDate = account.date_of_birth ?? findSoleBirthDate(patients);
  return {
    resourceType: 'Person',
    id: patientId,
    ...(createdAt && { meta: { lastUpdated: createdAt.toISOString() } }),
    active: true,
    ...(account.demographics && {
      name: [{ use: 'official', family: family ?? '', given: [given ?? ''] }],
      ...(birthDate !== null && { birthDate }),
    }),
    ...(patients.length > 0 && {
      link: patients.map(({ fhir_id: id }) => ({ target: { reference: `Patient/${id}` } })),
    }),
  };
}

function findSoleBirthDate(patients: readonly LinkedPatientRow[]): string | null {
  const dates = new Set(
    patients.map(({ body }) => body && parseBirthDate(body)).filter((date) => date !== null),
  );
  const [only] = dates;
  return dates.size === 1 && only !== undefined ? only : null;
}
