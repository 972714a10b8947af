import type { OrganizationReach } from '../../../../contract/audience.ts';
import type { BatchId, DataMask, PatientId, SourceId } from '../../../../contract/brands.ts';
import type { UploadBatch } from '../../../../contract/account/uploads.ts';
import { selectReadingMasks } from '../../../consent/access/consenting-patients.sql.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import { isBroughtBy } from '../../store/batch-resources.sql.ts';
import type { RecordHeadRow } from '../../store/resources.sql.ts';
import type { Rejection } from '../archive/member.ts';
import { NOTHING_LOST } from './import-notes.ts';

/** A batch in the line of those to be read. */
export interface BatchInLine {
  batch_id: BatchId;
  /** When it began to wait for the patient's answer; it keeps that. */
  held_at: Date | null;
}

export interface BatchRow extends BatchInLine {
  source_id: SourceId | null;
  origin: string;
  /** The first in the archive. */
  paths: string[];
  status: UploadBatch['status'];
  received_at: Date;
  completed_at: Date | null;
  /** When the patient said that it is about them; null: they did not. */
  confirmed_at: Date | null;
  /** How many persons it names that differ from the record. */
  persons_total: number;
  documents_total: number;
  documents_processed: number;
  documents_rejected: number;
  resources_created: number;
  resources_updated: number;
  resources_unchanged: number;
  /** Somebody has begun to take it out. */
  is_leaving: boolean;
}

const columns = sql`
  batch_id, source_id, origin, paths, status, received_at, completed_at, held_at, confirmed_at, persons_total, documents_total, documents_processed, documents_rejected,
  resources_created, resources_updated, resources_unchanged, removal is not null as is_leaving`;

export type BatchHeadRow = Pick<
  RecordHeadRow,
  'last_synchronized_at' | 'labeled_until' | 'removed_at' | 'unannounced_changes'
>;

/**
 * Serializes the acknowledgement, the start and the end of batches of one record. Returns no row when the patient is gone, and
 * blocks their deletion.
 */
export const lockForBatch = (patientId: PatientId) => sql<BatchHeadRow>`
  select last_synchronized_at, labeled_until, removed_at, unannounced_changes
  from record_head where patient_id = ${patientId} for update`;

interface NewBatch {
  batchId: BatchId;
  source: { sourceId: SourceId; origin: string } | null;
  paths: readonly string[];
  isConfirmed: boolean;
  now: Date;
}

export const insertBatch = (patientId: PatientId, batch: NewBatch) => sql`
  insert into upload_batch (patient_id, batch_id, source_id, origin, paths, status, received_at, confirmed_at, position)
  select ${patientId}::uuid, ${batch.batchId}, ${batch.source?.sourceId ?? null}, ${batch.source?.origin ?? ''}, ${batch.paths}::text[],
    'queued', ${batch.now}, ${batch.isConfirmed ? batch.now : null}, coalesce(max(coalesce(turn, position)), 0) + 1
  from upload_batch where patient_id = ${patientId}`;

export const selectBatch = (patientId: PatientId, batchId: BatchId) => sql<BatchRow>`
  select ${columns} from upload_batch where patient_id = ${patientId} and batch_id = ${batchId}`;

/** What is kept of a removal from its beginning to its end. */
export interface KeptRemoval {
  requiredLabels: DataMask[];
  changedLabels: DataMask[];
}

/** Begins to take a batch out, unless that has begun. */
export const beginRemoval = (patientId: PatientId, batchId: BatchId, removal: KeptRemoval) => sql`
  update upload_batch set removal = coalesce(removal, ${JSON.stringify(removal)}::jsonb)
  where patient_id = ${patientId} and batch_id = ${batchId}`;

/** Of a removal that has begun. */
export const findKeptRemoval = (patientId: PatientId, batchId: BatchId) => sql<{ removal: string }>`
  select removal from upload_batch where patient_id = ${patientId} and batch_id = ${batchId}`;

export const toKeptRemoval = ({ removal }: { removal: string }): KeptRemoval =>
  JSON.parse(removal) as KeptRemoval;

export const selectBatches = (patientId: PatientId, limit = 1000) => sql<BatchRow>`
  select ${columns} from upload_batch where patient_id = ${patientId} order by received_at desc, batch_id desc limit ${limit}`;

/**
 * A condition on an upload `b` of a patient, beside `permitted`, for those of an organization who may read the record: of what was
 * read, only uploads that brought something that is shared with them.
 */
const isShared = (patientId: PatientId): Sql => sql`
  b.patient_id = ${patientId} and b.source_id is null and exists (
    select from permitted
    where permitted.withheld = 0 or b.status not in ('completed', 'completed_with_errors') or exists (
      select from resource r left join resource_label n on n.patient_id = ${patientId} and n.seq = r.seq
      where r.patient_id = ${patientId} and coalesce(n.required_labels, -1) & permitted.withheld = 0
        and ${isBroughtBy(patientId, raw('b.batch_id'))}))`;

const withPermitted = (patientId: PatientId, reach: OrganizationReach, now: Date): Sql => sql`
  with permitted as materialized (${selectReadingMasks(reach, sql`${patientId}::uuid`, now)})`;

/** Counts a patient's shared uploads by their state, with what was rejected of them. */
export const countSharedUploads = (patientId: PatientId, reach: OrganizationReach, now: Date) => sql<{
  status: UploadBatch['status'];
  uploads: number;
  rejected: number;
  last_received_at: Date;
}>`
  ${withPermitted(patientId, reach, now)}
  select b.status, count(*) as uploads, sum(b.documents_rejected)::integer as rejected, max(b.received_at) as last_received_at
  from upload_batch b where ${isShared(patientId)}
  group by b.status order by b.status`;

/** Selects a patient's shared uploads, newest first; one of them alone where it is named. */
export const selectSharedUploads = (
  patientId: PatientId,
  {
    reach,
    now,
    limit,
    batchId = null,
  }: { reach: OrganizationReach; now: Date; limit: number; batchId?: BatchId | null },
) => sql<{ batch_id: BatchId; status: UploadBatch['status']; received_at: Date; rejected: number }>`
  ${withPermitted(patientId, reach, now)}
  select b.batch_id, b.status, b.received_at, b.documents_rejected as rejected
  from upload_batch b
  where ${isShared(patientId)} and ${batchId === null ? raw('true') : sql`b.batch_id = ${batchId}`}
  order by b.received_at desc, b.batch_id desc limit ${limit}`;

/** Selects whose upload it is. */
export const selectUploader = (batchId: BatchId) => sql<{ patient_id: PatientId }>`
  select patient_id from upload_batch where batch_id = ${batchId}`;

/** Says whether archives of the patient are still being read. */
export const selectUploadsInFlight = (patientId: PatientId) => sql<{ in_flight: boolean }>`
  select exists (select from upload_batch where patient_id = ${patientId} and status in ('queued', 'processing')) as in_flight`;

/** Says whether what a connected server sent waits or is read. */
export const hasUnfinishedOfSource = (patientId: PatientId, sourceId: SourceId) => sql<{
  unfinished: boolean;
}>`
  select exists (
    select from upload_batch
    where patient_id = ${patientId} and source_id = ${sourceId} and status in ('queued', 'processing')) as unfinished`;

/** Says whether something that a connected server sent is being taken out. */
export const isTakingOutOfSource = (patientId: PatientId, sourceId: SourceId) => sql<{ leaving: boolean }>`
  select exists (
    select from upload_batch
    where patient_id = ${patientId} and source_id = ${sourceId} and removal is not null) as leaving`;

export const selectHasQuestion = (patientId: PatientId) => sql<{ asked: boolean }>`
  select exists (select from upload_batch where patient_id = ${patientId} and status = 'needs_confirmation') as asked`;

export const selectRejections = (patientId: PatientId, batchId: BatchId) => sql<Rejection>`
  select path, code, message from upload_rejection where patient_id = ${patientId} and batch_id = ${batchId} order by ordinal`;

/** Counts the rejections of a batch by which something of it is not in the record. */
export const countLost = (patientId: PatientId, batchId: BatchId) => sql<{ lost: number }>`
  select count(*) as lost from upload_rejection
  where patient_id = ${patientId} and batch_id = ${batchId} and code <> all(${NOTHING_LOST}::text[])`;

/** Selects the members of an archive that were rejected as a whole for this reason. */
export const selectRejectedPaths = (patientId: PatientId, batchId: BatchId, code: string) => sql<{
  path: string;
}>`
  select path from upload_rejection
  where patient_id = ${patientId} and batch_id = ${batchId} and code = ${code} order by ordinal`;

/** Batches of every patient with documents that have such a rejection, the newest first; one of them by its id. */
export const findBatchesByRejection = (code: string, batchId: BatchId | null) => sql<{
  patient_id: PatientId;
  batch_id: BatchId;
  received_at: Date;
  documents: number;
}>`
  select b.patient_id, b.batch_id, b.received_at, count(*)::integer as documents
  from upload_rejection r join upload_batch b on b.patient_id = r.patient_id and b.batch_id = r.batch_id
  where r.code = ${code} and (${batchId}::uuid is null or r.batch_id = ${batchId}::uuid)
  group by b.patient_id, b.batch_id, b.received_at order by b.received_at desc, b.batch_id`;

/** The first rejections of each batch, all batches in one query. */
export const selectFirstRejections = (
  patientId: PatientId,
  batchIds: readonly BatchId[],
  limit: number,
) => sql<Rejection & { batch_id: BatchId }>`
  select b.batch_id, r.path, r.code, r.message
  from unnest(${batchIds}::uuid[]) with ordinality as b(batch_id, position)
  cross join lateral (
    select path, code, message, ordinal from upload_rejection
    where patient_id = ${patientId} and batch_id = b.batch_id order by ordinal limit ${limit}) r
  order by b.position, r.ordinal`;

/**
 * Counts the patient's uploads that are not finished, and those since `since`; `oldest` is when the first of the last `perDay`
 * of these came.
 */
export const selectUploadCounts = (
  patientId: PatientId,
  { since, perDay }: { since: Date; perDay: number },
) => sql<{
  unfinished: number;
  day: number;
  oldest: Date | null;
}>`
  select (select count(*) from upload_batch where patient_id = ${patientId} and status in ('queued', 'processing')) as unfinished,
    count(*) as day, min(received_at) as oldest
  from (
    select received_at from upload_batch
    where patient_id = ${patientId} and source_id is null and received_at > ${since}
    order by received_at desc limit ${perDay}) newest`;

/**
 * Selects the batches of a record that wait or are read, in the order in which they are: that of their acknowledgement, but
 * for those that waited for an answer.
 */
export const selectUnfinishedBatches = (patientId: PatientId) => sql<BatchInLine>`
  select batch_id, held_at from upload_batch
  where patient_id = ${patientId} and status in ('queued', 'processing') order by coalesce(turn, position)`;

/** Has a batch wait for the patient's answer; nothing of it is in the record. */
export const holdBatch = (
  patientId: PatientId,
  batchId: BatchId,
  { now, documents, personsTotal }: { now: Date; documents: DocumentCounts; personsTotal: number },
) => sql`
  update upload_batch set status = 'needs_confirmation', held_at = ${now}, persons_total = ${personsTotal},
    documents_total = ${documents.total}, documents_processed = 0, documents_rejected = 0
  where patient_id = ${patientId} and batch_id = ${batchId}`;

/** Notes the patient's yes; what waited for it goes to the end of the line. */
export const confirmBatch = (patientId: PatientId, batchId: BatchId, now: Date) => sql`
  update upload_batch set confirmed_at = ${now}, persons_total = 0,
    status = case when status = 'needs_confirmation' then 'queued' else status end,
    turn = case when status = 'needs_confirmation'
      then (select max(coalesce(turn, position)) + 1 from upload_batch where patient_id = ${patientId}) else turn end
  where patient_id = ${patientId} and batch_id = ${batchId}`;

export const startBatch = (patientId: PatientId, batchId: BatchId) => sql`
  update upload_batch set status = 'processing', documents_total = 0, documents_processed = 0, documents_rejected = 0
  where patient_id = ${patientId} and batch_id = ${batchId}`;

export interface DocumentCounts {
  total: number;
  processed: number;
  rejected: number;
}

export const updateDocumentCounts = (patientId: PatientId, batchId: BatchId, counts: DocumentCounts) => sql`
  update upload_batch set documents_total = ${counts.total}, documents_processed = ${counts.processed}, documents_rejected = ${counts.rejected}
  where patient_id = ${patientId} and batch_id = ${batchId}`;

interface BatchOutcome {
  status: UploadBatch['status'];
  now: Date;
  documents: DocumentCounts;
  resources: UploadBatch['resources'];
  unreadPlaces: number;
}

export const completeBatch = (
  patientId: PatientId,
  batchId: BatchId,
  { status, now, documents, resources, unreadPlaces }: BatchOutcome,
) => sql`
  update upload_batch set status = ${status}, completed_at = ${now}, unread_places = ${unreadPlaces},
    documents_total = ${documents.total}, documents_processed = ${documents.processed}, documents_rejected = ${documents.rejected},
    resources_created = ${resources.created}, resources_updated = ${resources.updated}, resources_unchanged = ${resources.unchanged}
  where patient_id = ${patientId} and batch_id = ${batchId}`;

export const deleteBatch = (patientId: PatientId, batchId: BatchId) => sql`
  delete from upload_batch where patient_id = ${patientId} and batch_id = ${batchId}`;

export const deleteRejections = (patientId: PatientId, batchId: BatchId) => sql`
  delete from upload_rejection where patient_id = ${patientId} and batch_id = ${batchId}`;

export const insertRejections = (patientId: PatientId, batchId: BatchId, rows: readonly Rejection[]) => sql`
  insert into upload_rejection (patient_id, batch_id, ordinal, path, code, message)
  select ${patientId}, ${batchId}, r.ordinal, r.path, r.code, r.message
  from unnest(${rows.map(({ path }) => path)}::text[], ${rows.map(({ code }) => code)}::text[], ${rows.map(({ message }) => message)}::text[])
    with ordinality as r(path, code, message, ordinal)`;
