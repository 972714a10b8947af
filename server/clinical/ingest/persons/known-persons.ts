import type { PatientId } from '../../../../contract/brands.ts';
import { selectDemographics } from '../../../identity/patients/patients.sql.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { selectBodiesOfType } from '../../store/resource-bodies.sql.ts';
import { PERSON_TYPES, readAccountName, readPersons, type NamedPerson } from './named-person.ts';

const PAGE = { limit: 200, bytes: 8 * 1024 * 1024 };
/** A record of many documents has a Patient of each, which all say the same. */
const MAX_RESOURCES = 2_000;

export interface KnownPersons {
  account: NamedPerson;
  /** Those whom the record names, as the patient has confirmed them, or a connected server's were matched. */
  record: readonly NamedPerson[];
}

/** Loads who the patient is by the account, and by what the record holds; null when they are gone. */
export async function loadKnownPersons(db: Db, patientId: PatientId): Promise<KnownPersons | null> {
  const row = await maybeOne(db, selectDemographics(patientId));
  if (!row) return null;
  const names = readAccountName({ firstName: row.first_name, lastName: row.last_name });
  return {
    account: { names, birthDate: row.date_of_birth, sex: null },
    record: await loadRecordPersons(db, patientId),
  };
}

async function loadRecordPersons(db: Db, patientId: PatientId): Promise<NamedPerson[]> {
  const found = new Map<string, NamedPerson>();
  for (const type of PERSON_TYPES) {
    let after = '';
    for (let read = 0; read < MAX_RESOURCES;) {
      const rows = await db.query(selectBodiesOfType(patientId, { ...PAGE, type, after }));
      const last = rows.at(-1);
      if (!last) break;
      after = last.fhir_id;
      read += rows.length;
      for (const person of rows.flatMap(({ body }) => readPersons(parseResource(body))))
        found.set(
          JSON.stringify([person.names.map(({ text }) => text), person.birthDate, person.sex]),
          person,
        );
    }
  }
  return [...found.values()];
}
