import type { PatientId } from '../../../contract/brands.ts';
import { bigintArray, textArray } from '../../platform/db/array-values.ts';
import { sql } from '../../platform/db/sql.ts';
import { limitBodyBytes } from './limit-body-bytes.sql.ts';

export const deleteOpenReferences = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from open_reference where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

/**
 * Inserts the references of resources that have none stored. Not `on conflict do nothing`, which looks for each row in the
 * index before it is written, and takes half as long again.
 */
export const insertOpenReferences = (
  patientId: PatientId,
  references: readonly { target: string; seq: number }[],
) => sql`
  insert into open_reference (patient_id, target, seq)
  select ${patientId}, target, seq
  from unnest(${textArray(references.map(({ target }) => target))}, ${bigintArray(references.map(({ seq }) => seq))}) as n(target, seq)`;

/** Returns the distinct references that resolve to nothing yet, in order. */
export const findOpenTargets = (patientId: PatientId, page: { after: string; limit: number }) => sql<{
  target: string;
}>`
  select distinct target from open_reference where patient_id = ${patientId} and target > ${page.after} order by target limit ${page.limit}`;

/** Returns those of them that name their target by an identifier. */
export const findOpenConditionalTargets = (patientId: PatientId) => sql<{ target: string }>`
  select distinct target from open_reference where patient_id = ${patientId} and target like '%identifier=%'`;

export const findResourcesByOpenTarget = (
  patientId: PatientId,
  { targets, after, limit }: { targets: readonly string[]; after: number; limit: number },
) => sql<{
  seq: number;
  origin: string;
  body: string;
}>`
  ${limitBodyBytes(sql`
    select o.seq, r.origin, r.body
    from (
      select distinct seq from open_reference
      where patient_id = ${patientId} and target = any(${textArray(targets)}) and seq > ${after} order by seq limit ${limit}) o
    cross join lateral (
      select origin, body from resource where patient_id = ${patientId} and seq between o.seq and o.seq order by seq offset 0) r
    order by o.seq`)}`;

export const deleteClosedReferences = (
  patientId: PatientId,
  closed: readonly { target: string; seq: number }[],
) => sql`
  delete from open_reference o using unnest(${textArray(closed.map(({ target }) => target))}, ${bigintArray(closed.map(({ seq }) => seq))}) as n(target, seq)
  where o.patient_id = ${patientId} and o.target = any(${textArray([...new Set(closed.map(({ target }) => target))])})
    and o.seq = any(${bigintArray([...new Set(closed.map(({ seq }) => seq))])}) and o.target = n.target and o.seq = n.seq`;
