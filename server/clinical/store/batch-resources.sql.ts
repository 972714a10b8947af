import type { BatchId, DataMask, PatientId } from '../../../contract/brands.ts';
import { bigintArray, byteaArray, textArray } from '../../platform/db/array-values.ts';
import { isSeqOf } from './among-seqs.sql.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { getPublishedLabels } from './published-labels.sql.ts';
import { unnestColumns, type ResourceInput, type WriteContext } from './resources.sql.ts';

/** A resource that the record had before the batch that brings it again. */
export interface BroughtAgain {
  seq: number;
  firstBatchId: BatchId;
  /** The content that the record had. */
  knownHash: Buffer;
  /** The content that it has now. */
  sourceHash: Buffer;
}

/**
 * Notes who brought resources that the record had already: the first batch too, which until then the resource alone names.
 * Repeating it changes nothing.
 */
export const insertBatchResources = (
  { patientId, batchId, now }: WriteContext,
  rows: readonly BroughtAgain[],
) => sql`
  insert into batch_resource (patient_id, batch_id, seq, source_hash, brought_at)
  select ${patientId}::uuid, n.first_batch_id, n.seq, n.known_hash, '-infinity'::timestamptz
  from unnest(${bigintArray(rows.map((row) => row.seq))}, ${rows.map((row) => row.firstBatchId)}::uuid[],
    ${byteaArray(rows.map((row) => row.knownHash))}) as n(seq, first_batch_id, known_hash)
  union all
  select ${patientId}::uuid, ${batchId}::uuid, n.seq, n.source_hash, ${now}::timestamptz
  from unnest(${bigintArray(rows.map((row) => row.seq))}, ${byteaArray(rows.map((row) => row.sourceHash))}) as n(seq, source_hash)
  on conflict (patient_id, batch_id, seq) do nothing`;

/**
 * Finds which of these resources a batch brought that was acknowledged later than this one: one that waited for its patient's
 * answer is read after them, and is older.
 */
export const findNewerBrought = (
  { patientId, batchId }: { patientId: PatientId; batchId: BatchId },
  seqs: readonly number[],
) => sql<{ seq: number }>`
  with newer as materialized (
    select n.batch_id from upload_batch own join upload_batch n on n.patient_id = ${patientId} and n.position > own.position
    where own.patient_id = ${patientId} and own.batch_id = ${batchId})
  select seq from resource
  where patient_id = ${patientId} and seq = any(${bigintArray(seqs)}) and first_batch_id in (select batch_id from newer)
  union
  select seq from batch_resource
  where patient_id = ${patientId} and seq = any(${bigintArray(seqs)}) and batch_id in (select batch_id from newer)`;

/** Finds the batches that were fetched from connected servers, and from which. */
export const findFetchedBatches = (patientId: PatientId) => sql<{ batch_id: BatchId; origin: string }>`
  select batch_id, origin from upload_batch where patient_id = ${patientId} and source_id is not null`;

/** Keeps what an older batch brings of resources that have newer content. */
export const insertOlder = (patientId: PatientId, rows: readonly ResourceInput[]) => sql`
  insert into replaced_resource (patient_id, seq, source_hash, origin, category, body, display, display_code, organization,
    organization_reference, document_path, first_day, last_day)
  select ${patientId}, n.seq, n.source_hash, n.origin, n.category, n.body, n.display, n.display_code, n.organization,
    n.organization_reference, n.document_path, n.first_day, n.last_day
  from ${unnestColumns(rows)}
  on conflict (patient_id, seq, source_hash) do nothing`;

/** Keeps what resources hold, before another batch changes them. */
export const insertReplaced = (patientId: PatientId, seqs: readonly number[]) => sql`
  insert into replaced_resource (patient_id, seq, source_hash, origin, category, body, display, display_code, organization,
    organization_reference, document_path, first_day, last_day)
  select patient_id, seq, source_hash, origin, category, body, display, display_code, organization,
    organization_reference, document_path, first_day, last_day
  from resource where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})
  on conflict (patient_id, seq, source_hash) do update set body = excluded.body`;

/** Another batch that brought a resource. */
export interface OtherBringer {
  batchId: BatchId;
  hash: string;
  /** Its content is what the record holds, or is kept. */
  isKept: boolean;
}

interface BroughtRow {
  seq: number;
  reference: string;
  hash: string;
  required_labels: DataMask;
  /** JSON; null: none. */
  others: string | null;
}

/** A resource that a batch brought, and who else did. */
export interface BroughtResource {
  seq: number;
  reference: string;
  hash: string;
  requiredLabels: DataMask;
  /** The newest last, in the order of their acknowledgement. */
  others: OtherBringer[];
}

export const toBroughtResource = ({
  required_labels: requiredLabels,
  others,
  ...row
}: BroughtRow): BroughtResource => ({
  ...row,
  requiredLabels,
  others: others === null ? [] : (JSON.parse(others) as OtherBringer[]),
});

/** A condition on a row `r` of `resource`: the batch (SQL) brought it. */
export const isBroughtBy = (patientId: PatientId, batchId: Sql): Sql => sql`
  (r.first_batch_id = ${batchId} or exists (
    select from batch_resource br
    where br.patient_id = ${patientId} and br.batch_id = ${batchId} and br.seq = r.seq))`;

/** Finds the next resources that a batch brought, and who else did. */
export const findBroughtResources = (
  patientId: PatientId,
  batchId: BatchId,
  { after, limit }: { after: number; limit: number },
) => sql<BroughtRow>`
  with brought as materialized (
    select r.seq, r.resource_type || '/' || r.fhir_id as reference, r.source_hash from resource r
    where r.patient_id = ${patientId} and r.seq > ${after} and (r.first_batch_id = ${batchId}
      or r.seq in (select seq from batch_resource where patient_id = ${patientId} and batch_id = ${batchId}))
    order by r.seq limit ${limit})
  select r.seq, r.reference, encode(r.source_hash, 'hex') as hash, coalesce(n.required_labels, -1) as required_labels, other.others
  from brought r
  left join lateral (
    select ${getPublishedLabels('l')} as required_labels from resource_label l
    where l.patient_id = ${patientId} and l.seq = r.seq offset 0) n on true
  left join lateral (
    select json_agg(json_build_object('batchId', b.batch_id, 'hash', encode(b.source_hash, 'hex'),
      'isKept', b.source_hash = r.source_hash or exists (
        select from replaced_resource p where p.patient_id = ${patientId} and p.seq = r.seq and p.source_hash = b.source_hash))
      order by u.position nulls first, b.brought_at, b.batch_id) as others
    from (
      select batch_id, source_hash, brought_at from batch_resource
      where patient_id = ${patientId} and seq = r.seq and batch_id <> ${batchId} offset 0) b
    left join upload_batch u on u.patient_id = ${patientId} and u.batch_id = b.batch_id) other on true
  order by r.seq`;

/** The next bodies of a record, as many as fit into `bytes`, at least one. */
export const findBodiesAfter = (
  patientId: PatientId,
  { after, limit, bytes }: { after: number; limit: number; bytes: number },
) => sql<{ seq: number; body: string }>`
  select seq, body
  from (
    select seq, body, sum(octet_length(body)) over (order by seq) - octet_length(body) as before
    from (
      select seq, body from resource where patient_id = ${patientId} and seq > ${after} order by seq limit ${limit}) page) sized
  where before < ${bytes} order by seq`;

/** Gives resources the content back that they had before. */
export const restoreResources = (
  patientId: PatientId,
  rows: readonly { seq: number; hash: string }[],
  now: Date,
) => sql`
  update resource r set source_hash = p.source_hash, origin = p.origin, category = p.category, body = p.body, display = p.display,
    display_code = p.display_code, organization = p.organization, organization_reference = p.organization_reference,
    document_path = p.document_path, first_day = p.first_day, last_day = p.last_day, last_updated = ${now}
  from unnest(${bigintArray(rows.map(({ seq }) => seq))}, ${textArray(rows.map(({ hash }) => hash))}) as n(seq, hash)
  cross join lateral (
    select * from replaced_resource
    where patient_id = ${patientId} and seq = n.seq and source_hash = decode(n.hash, 'hex') offset 0) p
  where r.patient_id = ${patientId} and ${isSeqOf(rows, 'r')} and r.seq = n.seq`;

/** Finds what other batches brought of these resources: the texts that hold `mark`, and of each other one that there is one. */
export const findKeptContents = (patientId: PatientId, seqs: readonly number[], mark: string) => sql<{
  seq: number;
  body: string | null;
}>`
  select seq, case when position(${mark} in body) > 0 then body end as body from replaced_resource
  where patient_id = ${patientId} and seq = any(${bigintArray(seqs)}) order by seq`;

/** Finds which of these resources hold `mark`, now or in what another batch brought. */
export const findMarked = (patientId: PatientId, seqs: readonly number[], mark: string) => sql<{
  seq: number;
}>`
  select seq from resource
  where patient_id = ${patientId} and seq = any(${bigintArray(seqs)}) and position(${mark} in body) > 0
  union
  select seq from replaced_resource
  where patient_id = ${patientId} and seq = any(${bigintArray(seqs)}) and position(${mark} in body) > 0`;

/** Finds all that is kept of resources: what they hold, and what they held before. */
export const findContents = (patientId: PatientId, seqs: readonly number[]) => sql<{
  seq: number;
  hash: string;
  body: string;
}>`
  select seq, encode(source_hash, 'hex') as hash, body from resource
  where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})
  union all
  select seq, encode(source_hash, 'hex') as hash, body from replaced_resource
  where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

export const findBodies = (patientId: PatientId, seqs: readonly number[]) => sql<{
  seq: number;
  body: string;
}>`
  select seq, body from resource where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

/** Names the first and the last of the batches that are left for a resource. */
export const updateBringers = (
  patientId: PatientId,
  rows: readonly { seq: number; first: BatchId; last: BatchId }[],
) => sql`
  update resource r set first_batch_id = n.first, last_batch_id = n.last
  from unnest(${bigintArray(rows.map(({ seq }) => seq))}, ${rows.map(({ first }) => first)}::uuid[],
    ${rows.map(({ last }) => last)}::uuid[]) as n(seq, first, last)
  where r.patient_id = ${patientId} and ${isSeqOf(rows, 'r')} and r.seq = n.seq`;

/** Takes a batch's name from some of the resources whose references it resolved, and that it did not bring. */
export const forgetLastBatch = (patientId: PatientId, batchId: BatchId, limit: number) => sql`
  update resource set last_batch_id = first_batch_id
  where patient_id = ${patientId} and seq = any(array(
    select seq from resource where patient_id = ${patientId} and last_batch_id = ${batchId} limit ${limit}))
  returning 1`;

export const deleteBatchResources = (patientId: PatientId, batchId: BatchId) => sql`
  delete from batch_resource where patient_id = ${patientId} and batch_id = ${batchId}`;

/** Forgets that a batch brought these resources. */
export const deleteBroughtAgain = (patientId: PatientId, batchId: BatchId, seqs: readonly number[]) => sql`
  delete from batch_resource
  where patient_id = ${patientId} and batch_id = ${batchId} and seq = any(${bigintArray(seqs)})`;

export const deleteBringers = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from batch_resource where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

/** Deletes kept contents of these resources that no batch which is left brought. */
export const deleteUnneededContents = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from replaced_resource p
  where p.patient_id = ${patientId} and p.seq = any(${bigintArray(seqs)}) and not exists (
    select from batch_resource b
    where b.patient_id = ${patientId} and b.seq = p.seq and b.source_hash = p.source_hash offset 0)`;

/** Deletes earlier states of resources: they may hold what was taken out. */
export const deleteEarlierVersions = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from resource_version where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

export const deleteResources = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from resource where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

/** Notes that something was taken out of a record: no earlier state is shown, not that before a batch that is written either. */
export const shrinkRecord = (patientId: PatientId, { removed, now }: { removed: number; now: Date }) => sql`
  update record_head set total = total - ${removed}, last_synchronized_at = ${now}, removed_at = ${now},
    labeled_until = case when labeled_until is not null then ${now}::timestamptz end
  where patient_id = ${patientId}`;

/** Entries of what stays are hidden from now on, until they are built anew. */
export const beginHiding = (patientId: PatientId, now: Date) => sql`
  update record_head set hidden_since = coalesce(hidden_since, ${now}) where patient_id = ${patientId}`;

/** All entries were built anew, unless something was taken out since the last time it was, or is being taken out. */
export const endHiding = (patientId: PatientId, removedAt: Date | null) => sql`
  update record_head set hidden_since = null
  where patient_id = ${patientId} and hidden_since is not null and removed_at is not distinct from ${removedAt}::timestamptz
    and not exists (select from upload_batch b where b.patient_id = ${patientId} and b.removal is not null)`;

/** When something was last taken out of the record. */
export const findRemovalTime = (patientId: PatientId) => sql<{ removed_at: Date | null }>`
  select removed_at from record_head where patient_id = ${patientId}`;
