import type { PatientId } from '../../../../contract/brands.ts';
import { sql, type Sql } from '../../../platform/db/sql.ts';
import { toSigns, type Vector } from './embedder.ts';

/** Longer ones say no more of what a passage is about, and some models refuse them. */
const MAX_TEXT_LENGTH = 2000;

/** Selects passages that this model has made no vector of. */
export const selectUnembedded = (patientId: PatientId, model: string, limit: number) => sql<{
  passage_hash: string;
  text: string;
}>`
  select encode(passage_hash, 'hex') as passage_hash, left(title || E'\n' || body, ${MAX_TEXT_LENGTH}::integer) as text
  from passage where patient_id = ${patientId} and embedding_model is distinct from ${model}
  limit ${limit}`;

/** Of these patients, selects those with passages that this model has made no vector of. */
export const selectUnembeddedPatients = (patientIds: readonly PatientId[], model: string) => sql<{
  patient_id: PatientId;
}>`
  select patient_id from unnest(${patientIds}::uuid[]) as given(patient_id)
  where exists (select from passage p where p.patient_id = given.patient_id and p.embedding_model is distinct from ${model})`;

export interface EmbeddedPassage {
  hash: string;
  vector: Vector;
}

export const updateEmbeddings = (patientId: PatientId, passages: readonly EmbeddedPassage[]) => sql`
  update passage set embedding_model = given.model, embedding = given.embedding, embedding_signs = given.signs::bit varying
  from json_to_recordset(${JSON.stringify(
    passages.map(({ hash, vector: { model, values } }) => ({
      hash: `\\x${hash}`,
      model,
      embedding: values.map((value) => Number(value.toFixed(6))),
      signs: toSigns(values),
    })),
  )}::json) as given(hash bytea, model text, embedding real[], signs text)
  where patient_id = ${patientId} and passage_hash = given.hash`;

/** The passages of which the numbers are compared. */
const MAX_COMPARED = 200;

/**
 * The passages nearest to a question, `near (passage_hash, similarity)`: of all that are readable (a condition on `p`) the
 * best by the signs of their numbers, which takes a microsecond each, and of these by their cosine, which takes a hundred.
 * A record of up to 200 passages is compared exactly.
 */
export const selectNear = ({ model, values }: Vector, isReadable: Sql): Sql => sql`
  comparable as materialized (
    select p.passage_hash, p.embedding, p.embedding_signs from passage p
    where ${isReadable} and p.embedding_model = ${model} and cardinality(p.embedding) = ${values.length}::integer),
  near as materialized (
    select passage_hash, similarity
    from (
      select passage_hash, embedding from comparable
      order by bit_count(embedding_signs # ${toSigns(values)}::text::bit varying), passage_hash limit ${MAX_COMPARED}) candidate
    cross join lateral (
      select sum(one * other) as similarity
      from unnest(embedding, ${values.map((value) => Number(value.toFixed(6)))}::real[]) as pair(one, other)) compared)`;
