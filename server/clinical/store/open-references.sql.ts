import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import { limitBodyBytes } from './limit-body-bytes.sql.ts';

export const deleteOpenReferences = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from open_reference where patient_id = ${patientId} and seq = any(${seqs}::bigint[])`;

export const insertOpenReferences = (
  patientId: PatientId,
  references: readonly { target: string; seq: number }[],
) => sql`
  insert into open_reference (patient_id, target, seq)
  select ${patientId}, target, seq
  from unnest(${references.map(({ target }) => target)}::text[], ${references.map(({ seq }) => seq)}::bigint[]) as n(target, seq)
  on conflict do nothing`;

/** Returns the distinct references that resolve to nothing yet, in order. */
export const findOpenTargets = (patientId: PatientId, page: { after: string; limit: number }) => sql<{
  target: string;
}>`
  select distinct target from open_reference where patient_id = ${patientId} and target > ${page.after} order by target limit ${page.limit}`;

export const findResourcesByOpenTarget = (
  patientId: PatientId,
  { targets, after, limit }: { targets: readonly string[]; after: number; limit: number },
) => sql<{
  seq: number;
  origin: string;
  body: string;
}>`
  ${limitBodyBytes(sql`
    select seq, origin, body from resource
    where patient_id = ${patientId} and seq > ${after}
      and seq in (select seq from open_reference where patient_id = ${patientId} and target = any(${targets}::text[]))
    order by seq limit ${limit}`)}`;

export const deleteClosedReferences = (
  patientId: PatientId,
  closed: readonly { target: string; seq: number }[],
) => sql`
  delete from open_reference o using unnest(${closed.map(({ target }) => target)}::text[], ${closed.map(({ seq }) => seq)}::bigint[]) as n(target, seq)
  where o.patient_id = ${patientId} and o.target = n.target and o.seq = n.seq`;
