import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../db/sql.ts';

/** What the bytes are. A draft becomes evidence with the decision that takes it over. */
export type ObjectUse = 'archive' | 'original' | 'draft' | 'evidence';

/** How the bytes are before they are encrypted: as they came, or as raw deflate (RFC 1951). */
export type ObjectEncoding = 'identity' | 'deflate';

export interface StoredObjectRow {
  object_id: string;
  object_key: string;
  content_key: Buffer;
  size: number;
  encoding: ObjectEncoding;
}

export const selectObject = (patientId: PatientId, objectId: string) => sql<StoredObjectRow>`
  select object_id, object_key, content_key, size, encoding from stored_object
  where patient_id = ${patientId} and object_id = ${objectId}`;

/** One object of a patient, whichever: whether the store answers is asked by it. */
export const selectAnyObject = (patientId: PatientId) => sql<{ object_key: string }>`
  select object_key from stored_object where patient_id = ${patientId} limit 1`;

/**
 * Holds off whoever else refers to objects of a patient, or looks for those that nothing refers to, until the transaction ends:
 * the next statement sees what they have done.
 */
export const lockObjects = (patientId: PatientId) => sql`
  select pg_advisory_xact_lock(hashtextextended(${`objects ${patientId}`}, 0))`;

/** Returns no row where the content is there already. */
export const insertObject = (
  patientId: PatientId,
  object: {
    objectId: string;
    use: ObjectUse;
    key: string;
    contentKey: Buffer;
    size: number;
    encoding: ObjectEncoding;
    now: Date;
  },
) => sql<{ object_id: string }>`
  insert into stored_object (patient_id, object_id, use, object_key, content_key, size, encoding, stored_at)
  values (${patientId}, ${object.objectId}, ${object.use}, ${object.key}, ${object.contentKey}, ${object.size}, ${object.encoding},
    ${object.now})
  on conflict (patient_id, object_id) do nothing returning object_id`;

/** Drafts that a decision has taken over are kept as its evidence. */
export const keepAsEvidence = (patientId: PatientId, objectIds: readonly string[]) => sql<{
  object_id: string;
}>`
  update stored_object set use = 'evidence'
  where patient_id = ${patientId} and object_id = any(${objectIds}::uuid[]) and use in ('draft', 'evidence') returning object_id`;

/** Deletes rows of these uses and has their objects deleted: both, or neither. */
export const deleteObjects = (
  patientId: PatientId,
  { objectIds, uses, now }: { objectIds: readonly string[]; uses: readonly ObjectUse[]; now: Date },
) => sql`
  with gone as (
    delete from stored_object
    where patient_id = ${patientId} and object_id = any(${objectIds}::uuid[]) and use = any(${uses}::text[]) returning object_key)
  insert into object_deletion (object_key, due_at) select object_key, ${now}::timestamptz from gone
  on conflict (object_key) do update set due_at = excluded.due_at`;

/** The same of all that a patient has of these uses. */
export const deleteObjectsOfUses = (patientId: PatientId, uses: readonly ObjectUse[], now: Date) => sql`
  with gone as (
    delete from stored_object where patient_id = ${patientId} and use = any(${uses}::text[]) returning object_key)
  insert into object_deletion (object_key, due_at) select object_key, ${now}::timestamptz from gone
  on conflict (object_key) do update set due_at = excluded.due_at`;

/** Sums what the quota of a patient counts. */
export const sumObjectBytes = (patientId: PatientId) => sql<{ bytes: number }>`
  select coalesce(sum(size), 0)::bigint as bytes from stored_object
  where patient_id = ${patientId} and use in ('archive', 'original')`;

export const scheduleDeletion = (key: string, dueAt: Date) => sql`
  insert into object_deletion (object_key, due_at) values (${key}, ${dueAt})
  on conflict (object_key) do update set due_at = excluded.due_at`;

/** Brings a deletion forward, unless it was cancelled: by a transaction that is committed, or that it waits for. */
export const expediteDeletion = (key: string, now: Date) => sql`
  update object_deletion set due_at = ${now} where object_key = ${key} and due_at > ${now}`;

/** Cancels the deletion of an object that a row will refer to. No row: it may have begun. */
export const cancelDeletion = (key: string, notBefore: Date) => sql<{ object_key: string }>`
  delete from object_deletion where object_key = ${key} and due_at > ${notBefore} returning object_key`;

/**
 * Claims objects to delete, for as long as a failed attempt waits for the next. It skips what a transaction is about to refer
 * to at this moment.
 */
export const claimDeletions = (now: Date, limit: number) => sql<{ object_key: string }>`
  update object_deletion set attempts = attempts + 1,
    due_at = ${now}::timestamptz + least(3600, 10 * power(2, least(attempts, 10))) * interval '1 second'
  where object_key = any(array(
    select object_key from object_deletion where due_at <= ${now} order by due_at limit ${limit} for update skip locked))
  returning object_key`;

export const finishDeletions = (keys: readonly string[]) => sql`
  delete from object_deletion where object_key = any(${keys}::text[])`;

/** Counts what is due to be deleted, and what several attempts have not deleted. */
export const countDeletions = (now: Date) => sql<{ due: number; failing: number }>`
  select count(*) filter (where due_at <= ${now} or attempts > 0) as due, count(*) filter (where attempts >= 5) as failing
  from object_deletion`;

/** Counts objects by what they are, of all patients. */
export const countObjects = () => sql<{ use: ObjectUse; objects: number; bytes: number }>`
  select use, count(*) as objects, sum(size)::bigint as bytes from stored_object group by use order by use`;

export const hasObjects = () => sql<{ found: boolean }>`select exists (select from stored_object) as found`;

/** Objects of every patient, a page at a time. */
export const selectObjectsAfter = (
  after: { patient_id: PatientId; object_id: string },
  limit: number,
) => sql<{ patient_id: PatientId; object_id: string; use: ObjectUse; object_key: string }>`
  select patient_id, object_id, use, object_key from stored_object
  where (patient_id, object_id) > (${after.patient_id}::uuid, ${after.object_id}::uuid)
  order by patient_id, object_id limit ${limit}`;
