import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { CollectedPerson } from '../persons/collect-persons.ts';
import type { Difference, OtherPerson } from '../persons/compare-persons.ts';

export interface BatchPersonRow {
  batch_id: BatchId;
  name: string | null;
  birth_date: string | null;
  sex: 'male' | 'female' | null;
  path: string;
  differs: Difference[];
}

export const insertPersons = (
  patientId: PatientId,
  batchId: BatchId,
  persons: readonly OtherPerson<CollectedPerson>[],
) => sql`
  insert into batch_person (patient_id, batch_id, ordinal, name, birth_date, sex, path, differs)
  select ${patientId}, ${batchId}, p.ordinal, p.name, p.birth_date, p.sex, p.path, string_to_array(p.differs, ' ')
  from unnest(${persons.map(({ names }) => names[0]?.text ?? null)}::text[], ${persons.map(({ birthDate }) => birthDate)}::text[],
    ${persons.map(({ sex }) => sex)}::text[], ${persons.map(({ path }) => path)}::text[],
    ${persons.map(({ differs }) => differs.join(' '))}::text[])
    with ordinality as p(name, birth_date, sex, path, differs, ordinal)`;

/** Selects whom batches name, each batch's in the order in which they were found. */
export const selectPersons = (patientId: PatientId, batchIds: readonly BatchId[]) => sql<BatchPersonRow>`
  select batch_id, name, birth_date, sex, path, differs from batch_person
  where patient_id = ${patientId} and batch_id = any(${batchIds}::uuid[]) order by batch_id, ordinal`;

export const deletePersons = (patientId: PatientId, batchId: BatchId) => sql`
  delete from batch_person where patient_id = ${patientId} and batch_id = ${batchId}`;
