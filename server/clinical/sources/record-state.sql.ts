import type { PatientId } from '../../../contract/brands.ts';
import { isTestPatient } from '../../consent/access/consenting-patients.sql.ts';
import {
  toRecordQuery,
  type ConsentedAccess,
  type JointAccess,
  type RecordAccess,
} from '../../consent/access/record-access.ts';
import { asLookUp, sql, type Sql } from '../../platform/db/sql.ts';
import { isReadInPart } from '../store/unread-places.sql.ts';

export interface RecordHead {
  /** Resources held. */
  total: number;
  /** ISO 8601, or null when nothing ever came. */
  lastSynchronizedAt: string | null;
}

export const findRecordHead = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<RecordHead>`
      select total, last_synchronized_at as "lastSynchronizedAt" from record_head where patient_id = ${access.patientId}`,
  );

export interface BatchState {
  batchId: string;
  /** A connected server sent it: not an upload. */
  isFetched: boolean;
  status: 'queued' | 'processing' | 'needs_confirmation' | 'completed' | 'completed_with_errors' | 'failed';
  receivedAt: string;
  documents: number;
  rejected: number;
  created: number;
  updated: number;
  unchanged: number;
}

/**
 * A condition on a batch `b`: its server sent another since, that was read. What could not be read completely is followed by a sync of
 * everything.
 */
const isFetchedAnew = (patientId: PatientId | Sql): Sql => sql`
  exists (select from upload_batch n
    where n.patient_id = ${patientId} and n.source_id = b.source_id and n.received_at > b.received_at
      and n.status in ('completed', 'completed_with_errors'))`;

/** A condition on a batch `b`: something of it is missing in the record, for good. */
const isMissingInPart = (patientId: PatientId | Sql): Sql => sql`
  (${isReadInPart(patientId)} and not ${isFetchedAnew(patientId)})`;

/** The newest batches, and those that answers say of that they were read in part: of these the newest ones. */
const selectListedBatches = ({ patientId }: RecordAccess): Sql => sql`
  (select * from (
    select b.*, row_number() over newest as place, ${isMissingInPart(patientId)} as in_part
    from upload_batch b where b.patient_id = ${patientId}
    window newest as (order by received_at desc, batch_id desc)) b
  where place <= ${NEWEST_BATCHES} or in_part order by place limit ${MAX_BATCHES})`;

const NEWEST_BATCHES = 5;
const MAX_BATCHES = 15;

export const findListedBatches = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<BatchState>`
      select batch_id as "batchId", source_id is not null as "isFetched", status, received_at as "receivedAt",
        case status when 'needs_confirmation' then 0 else documents_total end as documents,
        documents_rejected as rejected, resources_created as created, resources_updated as updated,
        resources_unchanged as unchanged
      from ${selectListedBatches(access)} b order by place`,
  );

/** Why places of an upload, or of what a connected server sent, were not read. */
export interface UnreadReason {
  batchId: string;
  message: string;
  places: number;
}

/** Finds why places of the listed batches were not read, the most frequent reason first. */
export const findUnreadReasons = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<UnreadReason>`
      select r.batch_id as "batchId", r.message, count(*) as places
      from ${selectListedBatches(access)} b
      join upload_rejection r on r.patient_id = ${access.patientId} and r.batch_id = b.batch_id
      group by r.batch_id, r.message order by places desc, r.message`,
  );

export interface SourceState {
  name: string;
  state:
    | 'waiting'
    | 'running'
    | 'up_to_date'
    | 'no_match'
    | 'ambiguous_match'
    | 'needs_organization_review'
    | 'failed'
    | 'paused';
  /** Why the last attempt failed, also of one that waits for its next; `partial` of one that did not bring everything. */
  code: string | null;
  /** Types that the server did not give, or not completely. */
  skippedTypes: readonly string[];
  /** ISO 8601, or null when nothing ever came from it. */
  synchronizedAt: string | null;
}

/**
 * Servers that the project's organization has connected for it. What another organization connected, or this one for other projects,
 * is not named: it says where else the person is a patient.
 */
export const findConnectedSources = (access: ConsentedAccess) =>
  toRecordQuery(
    access,
    sql<SourceState>`
      select s.name, case when s.status = 'paused' then 'paused' else coalesce(y.state, 'waiting') end as state,
        y.code, coalesce(to_json(y.skipped_types), '[]'::json) as "skippedTypes", y.synchronized_at as "synchronizedAt"
      from project p
      join record_source s on s.organization_id = p.organization_id
        and (s.project_ids is null or p.project_id = any(s.project_ids))
        and s.serves_test_patients = ${isTestPatient(sql`${access.patientId}::uuid`)}
      left join source_sync y on y.patient_id = ${access.patientId} and y.source_id = s.source_id
      where p.project_id = ${access.projectId} order by s.name`,
  );

/** What is on its way into the record, or failed on it: an answer may lack what it brings. */
export interface PendingState {
  /** Uploads that wait or are read, and since when the first of them does; ISO 8601. */
  uploads: number;
  since: string | null;
  /** Uploads that wait for the patient's answer whether they are about them. */
  held: number;
  /** Since when the first batch of a connected server waits or is read; ISO 8601. */
  fetchesSince: string | null;
  /** When the newest upload came, where it failed; ISO 8601. */
  failedAt: string | null;
  /** Uploads of which a part could not be read, and when the newest of them came; ISO 8601. */
  inPart: number;
  inPartAt: string | null;
  /** Of these, uploads of which nothing could be read. */
  unread: number;
  /** When the newest batch of a connected server came of which a part could not be read; ISO 8601. */
  fetchInPartAt: string | null;
  /** Since when an upload is being taken out, and entries of others wait to be built anew; ISO 8601. */
  hiddenSince: string | null;
  /**
   * Connected sources that wait, are read, or could not be read the last time, or not completely; `code` says why, also while
   * they wait again. The name is null of one that is not connected for the project: what it lacks, the record lacks.
   */
  sources: (Pick<SourceState, 'code' | 'skippedTypes'> & {
    name: string | null;
    state: 'waiting' | 'running' | 'failed' | 'up_to_date';
  })[];
}

/** A condition on a source `s`: the project's organization has connected it for the project. */
const isConnectedFor = ({ projectId }: ConsentedAccess | JointAccess): Sql => sql`
  exists (select from project p where p.project_id = ${projectId} and p.organization_id = s.organization_id
    and (s.project_ids is null or p.project_id = any (s.project_ids)))`;

/** Reads a handful of rows by their keys: for every answer. */
export const findPending = (access: ConsentedAccess) =>
  toRecordQuery(access, asLookUp(selectPending(access)));

/** A condition: nothing is on its way into the record or failed on it, so that an answer has no line about it. */
export const isNothingPending = (access: JointAccess): Sql => sql`
  (select uploads = 0 and held = 0 and "fetchesSince" is null and "failedAt" is null and "hiddenSince" is null
    and json_array_length(sources) = 0
  from (${selectPending(access)}) pending)`;

const selectPending = (access: ConsentedAccess | JointAccess) => sql<PendingState>`
      select count(*) filter (where status in ('queued', 'processing') and source_id is null) as uploads,
        min(received_at) filter (where status in ('queued', 'processing') and source_id is null) as since,
        min(received_at) filter (where status in ('queued', 'processing') and source_id is not null) as "fetchesSince",
        count(*) filter (where status = 'needs_confirmation') as held,
        (array_agg(case when status = 'failed' then received_at end order by received_at desc, batch_id desc)
          filter (where source_id is null))[1] as "failedAt",
        count(*) filter (where in_part and source_id is null) as "inPart",
        max(received_at) filter (where in_part and source_id is null) as "inPartAt",
        count(*) filter (where in_part and source_id is null and documents_processed = 0) as unread,
        max(received_at) filter (where in_part and source_id is not null) as "fetchInPartAt",
        (select hidden_since from record_head where patient_id = ${access.patientId}) as "hiddenSince",
        (select coalesce(json_agg(json_build_object('name', case when ${isConnectedFor(access)} then s.name end, 'state', y.state,
           'code', y.code, 'skippedTypes', coalesce(to_json(y.skipped_types), '[]'::json)) order by s.name), '[]'::json)
         from source_sync y
         join record_source s on s.source_id = y.source_id and s.status = 'active'
         where y.patient_id = ${access.patientId} and (y.state in ('waiting', 'running', 'failed') or y.code = 'partial')) as sources
      from (
        select b.batch_id, b.source_id, b.status, b.received_at, b.documents_processed,
          ${isMissingInPart(access.patientId)} as in_part
        from upload_batch b where b.patient_id = ${access.patientId}) b`;
