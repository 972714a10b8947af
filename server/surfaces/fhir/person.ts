import type { PatientId } from '../../../contract/brands.ts';
import { parseResource } from '../../clinical/store/parse-resource.ts';
import type { LinkedPatientRow, RecordSummaryRow } from './record.sql.ts';

interface PersonInput extends Pick<
  RecordSummaryRow,
  'first_name' | 'last_name' | 'date_of_birth' | 'created_at' | 'demographics'
> {
  patientId: PatientId;
  /** The Patients of the record that may be read. */
  patients: readonly LinkedPatientRow[];
  /** When the account, or a Patient that is not there any more, was last another one; null: never. */
  changedAt: Date | null;
  /** What comes before `Patient/{id}` in the links: `''`, or the base of the record with a slash. */
  recordBase: string;
}

/**
 * Returns the base that the references of a record resolve against. The Person stands above it: `Patient/1` in its own links
 * would be that of no patient (https://hl7.org/fhir/R4/bundle.html#references).
 */
export const getRecordBase = (baseUrl: string, patientId: PatientId): string =>
  `${baseUrl}/FHIR/R4/Person/${patientId}/`;

/**
 * Builds the Person of a record from its account, with links to the Patients of the documents. Without a birth date in the
 * account, it takes the record's, if the record has exactly one.
 */
export function buildPersonResource(input: PersonInput): object {
  const { patientId, patients, recordBase, changedAt, ...account } = input;
  const { first_name: given, last_name: family, created_at: createdAt } = account;
  const lastUpdated = findPersonTime({ createdAt, changedAt }, patients);
  const birthDate = account.date_of_birth ?? findOnlyBirthDate(patients);
  return {
    resourceType: 'Person',
    id: patientId,
    ...(lastUpdated && { meta: { lastUpdated: lastUpdated.toISOString() } }),
    active: true,
    ...(account.demographics && {
      ...((family || given) && {
        name: [{ use: 'official', ...(family && { family }), ...(given && { given: [given] }) }],
      }),
      ...(birthDate !== null && { birthDate }),
    }),
    ...(patients.length > 0 && {
      link: patients.map(({ fhir_id: id }) => ({ target: { reference: `${recordBase}Patient/${id}` } })),
    }),
  };
}

/** Returns when the Person was last another one: as its account came or changed, or one of the Patients that it links to did or went. */
export const findPersonTime = (
  { createdAt, changedAt }: { createdAt: Date | null; changedAt: Date | null },
  patients: readonly Pick<LinkedPatientRow, 'last_updated'>[],
): Date | null =>
  patients.reduce<Date | null>(
    (newest, { last_updated: at }) => (newest === null || at > newest ? at : newest),
    changedAt ?? createdAt,
  );

function findOnlyBirthDate(patients: readonly LinkedPatientRow[]): string | null {
  const dates = new Set(
    patients.map(({ body }) => body && parseBirthDate(body)).filter((date) => date !== null),
  );
  const [only] = dates;
  return dates.size === 1 && only !== undefined ? only : null;
}

const BIRTH_DATE = /^\d{4}(-\d\d(-\d\d)?)?$/;

export function parseBirthDate(body: string): string | null {
  const { birthDate } = parseResource(body) as { birthDate?: unknown };
  return typeof birthDate === 'string' && BIRTH_DATE.test(birthDate) ? birthDate : null;
}
