import type { PatientId } from '../../contract/ids.ts';
import { parsedBirthDate } from './patient-body.ts';
import type { LinkedPatient, OpeningRow } from './record.sql.ts';

interface Known extends Pick<
  OpeningRow,
  'first_name' | 'last_name' | 'date_of_birth' | 'created_at' | 'demographics'
> {
  patientId: PatientId;
  /** Of the record, as far as they may be read. */
  patients: readonly LinkedPatient[];
}

/**
 * The person that the record is of, as the account knows them; the Patients that documents brought are linked. The record's
 * birth date stands in where the account has none and the record tells just one.
 */
export function personResource({ patientId, patients, ...known }: Known): object {
  const { first_name: given, last_name: family, created_at: createdAt } = known;
  const birthDate = known.date_of_birth ?? soleBirthDate(patients);
  return {
    resourceType: 'Person',
    id: patientId,
    ...(createdAt && { meta: { lastUpdated: createdAt.toISOString() } }),
    active: true,
    ...(known.demographics && {
      name: [{ use: 'official', family: family ?? '', given: [given ?? ''] }],
      ...(birthDate !== null && { birthDate }),
    }),
    ...(patients.length > 0 && {
      link: patients.map(({ fhir_id: id }) => ({ target: { reference: `Patient/${id}` } })),
    }),
  };
}

function soleBirthDate(patients: readonly LinkedPatient[]): string | null {
  const dates = new Set(
    patients.map(({ body }) => body && parsedBirthDate(body)).filter((date) => date !== null),
  );
  const [only] = dates;
  return dates.size === 1 && only !== undefined ? only : null;
}
