import type { PatientId } from '../../../contract/brands.ts';
import { textArray } from '../../platform/db/array-values.ts';
import { forAnyPatient, sql, type Sql } from '../../platform/db/sql.ts';
import { lookUpById } from './resources.sql.ts';

/** A longer body, which is an attachment, is searched for one word only. */
const MAX_SEARCHED_LENGTH = 100_000;

/** Whether a body may say, in letters of either case, what stands against the resource: few do. */
export const mayObject = (body: Sql, words: string): Sql => sql`
  case when octet_length(${body}) <= ${MAX_SEARCHED_LENGTH} then ${body} ~* ${words} else strpos(${body}, 'entered-in-error') > 0 end`;

/** Finds those of the resources behind these references that have one of the words, which may say what stands against them. */
export const findObjected = (
  patientId: PatientId,
  references: readonly { type: string; id: string }[],
  words: string,
) =>
  forAnyPatient(sql<{ reference: string; body: string }>`
  select r.resource_type || '/' || r.fhir_id as reference, r.body
  from unnest(${textArray(references.map(({ type }) => type))}, ${textArray(references.map(({ id }) => id))}) as wanted(type, id)
  cross join lateral (
    ${lookUpById(patientId)}) r
  where ${mayObject(sql`r.body`, words)}`);
