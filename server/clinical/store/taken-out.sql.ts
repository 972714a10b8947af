import type { BatchId, PatientId, SourceId } from '../../../contract/brands.ts';
import { bigintArray, byteaArray } from '../../platform/db/array-values.ts';
import { sql } from '../../platform/db/sql.ts';

/** A resource at a connected server, and one of its contents. */
export interface TakenOutRow {
  resource_hash: Buffer;
  content_hash: Buffer;
}

/** Larger bodies are hashed before the record is locked (findLarge). */
const MAX_LOCKED_BYTES = 64 * 1024;

const isLarge = sql`octet_length(r.body) > ${MAX_LOCKED_BYTES}`;

/** Finds which of the resources are large. */
export const findLarge = (patientId: PatientId, seqs: readonly number[]) => sql<{
  seq: number;
}>`
  select seq from resource r where patient_id = ${patientId} and seq = any(${bigintArray(seqs)}) and ${isLarge}`;

export const findContent = (patientId: PatientId, seq: number) => sql<{ hash: Buffer; body: string }>`
  select source_hash as hash, body from resource where patient_id = ${patientId} and seq = ${seq}`;

/**
 * Finds what a batch of a connected server brought of these resources, unless that server has brought other content since: then
 * the former is no longer what it has. `body` is null where it holds other content, or is large.
 */
export const findFetched = (patientId: PatientId, batchId: BatchId, seqs: readonly number[]) => sql<{
  source_id: SourceId;
  seq: number;
  resource_type: string;
  name: string;
  hash: Buffer;
  body: string | null;
}>`
  select s.source_id, r.seq, r.resource_type, r.source_id as name, coalesce(own.source_hash, r.source_hash) as hash,
    case when not (${isLarge}) and r.source_hash = coalesce(own.source_hash, r.source_hash)
      then r.body end as body
  from upload_batch b
  join record_source s on s.source_id = b.source_id
  join resource r on r.patient_id = ${patientId} and r.seq = any(${bigintArray(seqs)})
  left join batch_resource own on own.patient_id = ${patientId} and own.batch_id = ${batchId} and own.seq = r.seq
  where b.patient_id = ${patientId} and b.batch_id = ${batchId} and not exists (
    select from batch_resource o join upload_batch n on n.patient_id = ${patientId} and n.batch_id = o.batch_id
    where o.patient_id = ${patientId} and o.seq = r.seq and o.source_hash <> coalesce(own.source_hash, r.source_hash)
      and n.source_id = b.source_id and n.position > b.position)`;

export const findTakenOut = (patientId: PatientId, sourceId: SourceId) => sql<TakenOutRow>`
  select resource_hash, content_hash from taken_out_resource
  where patient_id = ${patientId} and source_id = ${sourceId}`;

export const insertTakenOut = (
  patientId: PatientId,
  sourceId: SourceId,
  rows: readonly { resourceHash: Buffer; contentHash: Buffer }[],
) => sql`
  insert into taken_out_resource (patient_id, source_id, resource_hash, content_hash)
  select ${patientId}, ${sourceId}, n.resource_hash, n.content_hash
  from unnest(${byteaArray(rows.map(({ resourceHash }) => resourceHash))},
    ${byteaArray(rows.map(({ contentHash }) => contentHash))}) as n(resource_hash, content_hash)
  on conflict do nothing`;

/** Forgets resources that were taken out: the server has other content of them now. */
export const deleteTakenOut = (
  patientId: PatientId,
  sourceId: SourceId,
  resourceHashes: readonly Buffer[],
) => sql`
  delete from taken_out_resource
  where patient_id = ${patientId} and source_id = ${sourceId} and resource_hash = any(${byteaArray(resourceHashes)})`;

/** Forgets what was taken out of a source that is deleted. */
export const deleteTakenOutOfSource = (sourceId: SourceId) => sql`
  delete from taken_out_resource where source_id = ${sourceId}`;
