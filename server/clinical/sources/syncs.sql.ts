import type { OrganizationReach } from '../../../contract/audience.ts';
import type { BatchId, OrganizationId, PatientId, SourceId } from '../../../contract/brands.ts';
import type { SourceState } from '../../../contract/organization/source-syncs.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import { isEnrolledWithin, isTestPatient } from '../../consent/access/consenting-patients.sql.ts';
import { selectPermittedProjects } from '../../consent/access/permits-reading.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { selectDueAt } from '../../platform/jobs/jobs.sql.ts';
import { ORGANIZATION_NAME } from '../../identity/organizations/organizations.sql.ts';

/** One patient at one source. */
export interface SyncKey {
  patientId: PatientId;
  sourceId: SourceId;
}

export interface SyncRow {
  patient_id: PatientId;
  state: SourceState;
  code: string | null;
  requested_at: Date;
  failures: number;
  matched_type: 'Patient' | 'Person' | null;
  matched_id: string | null;
  matched_revision: number | null;
  covered_until: Date | null;
  synchronized_at: Date | null;
  content_hash: Buffer | null;
  subject_hash: Buffer | null;
  pages: number;
  resources: number;
  bytes: number;
  skipped_types: string[] | null;
  batch_id: BatchId | null;
  /** JSON. */
  pending: string | null;
}

export interface ListedSyncRow extends SyncRow {
  next_attempt_at: Date | null;
}

/** The one job of a patient at a source. */
export const SYNC_JOB = 'source.sync';

export const formatSyncKey = ({ patientId, sourceId }: SyncKey): string => `${sourceId} ${patientId}`;

/** When a sync `y` whose last attempt failed is tried again. */
const nextAttemptAt = sql`case when y.state = 'waiting' and y.failures > 0
  then ${selectDueAt(SYNC_JOB, raw("y.source_id || ' ' || y.patient_id"))} end`;

const columns = sql`patient_id, state, code, requested_at, failures, matched_type, matched_id, matched_revision, covered_until,
  synchronized_at, content_hash, subject_hash, pages, resources, bytes, skipped_types, batch_id, pending`;

export const lockSync = ({ patientId, sourceId }: SyncKey) => sql<SyncRow>`
  select ${columns} from source_sync where patient_id = ${patientId} and source_id = ${sourceId} for update`;

export const selectSync = ({ patientId, sourceId }: SyncKey) => sql<SyncRow>`
  select ${columns} from source_sync where patient_id = ${patientId} and source_id = ${sourceId}`;

/**
 * Inserts a request, only for an existing patient. A sync that waits or runs continues, and sees the repeated request
 * by `requested_at`.
 */
export const upsertSyncRequest = (
  { patientId, sourceId }: SyncKey,
  { organizationId, now }: { organizationId: OrganizationId; now: Date },
) => sql`
  insert into source_sync (patient_id, source_id, organization_id, state, requested_at)
  select patient_id, ${sourceId}, ${organizationId}, 'waiting', ${now} from record_head where patient_id = ${patientId} for share
  on conflict (patient_id, source_id) do update set
    state = case when source_sync.state = 'running' then 'running' else 'waiting' end, code = null, failures = 0,
    requested_at = greatest(excluded.requested_at, source_sync.requested_at + interval '1 millisecond')`;

export const startSync = ({ patientId, sourceId }: SyncKey) => sql`
  update source_sync set state = 'running', code = null where patient_id = ${patientId} and source_id = ${sourceId}`;

export const recordFailure = ({ patientId, sourceId }: SyncKey, code: string) => sql`
  update source_sync set state = 'waiting', code = ${code}, failures = failures + 1, batch_id = null, pending = null
  where patient_id = ${patientId} and source_id = ${sourceId}`;

/** Returns the sync to waiting, since it was requested again while it ran. */
export const requeueSync = ({ patientId, sourceId }: SyncKey) => sql<{ patient_id: PatientId }>`
  update source_sync set state = 'waiting', pending = null where patient_id = ${patientId} and source_id = ${sourceId}
  returning patient_id`;

/** Returns no row when the sync was requested again since `requestedAt`. */
export const finishSync = (
  { patientId, sourceId }: SyncKey,
  { state, code, requestedAt }: { state: SourceState; code: string | null; requestedAt: Date },
) => sql<{ patient_id: PatientId }>`
  update source_sync set state = ${state}, code = ${code}, pending = null
  where patient_id = ${patientId} and source_id = ${sourceId} and requested_at = ${requestedAt}
  returning patient_id`;

export const updateMatch = (
  { patientId, sourceId }: SyncKey,
  matched: { type: string; id: string; revision: number } | null,
) => sql`
  update source_sync set covered_until = null, content_hash = null, subject_hash = null,
    matched_type = ${matched?.type ?? null}, matched_id = ${matched?.id ?? null}, matched_revision = ${matched?.revision ?? null}
  where patient_id = ${patientId} and source_id = ${sourceId}`;

/** Saves the batch that was enqueued. */
export const updateBatch = (
  { patientId, sourceId }: SyncKey,
  { batchId, pending }: { batchId: BatchId; pending: object },
) => sql`
  update source_sync set batch_id = ${batchId}, pending = ${JSON.stringify(pending)}
  where patient_id = ${patientId} and source_id = ${sourceId}`;

export interface Coverage {
  coveredUntil: Date | null;
  synchronizedAt: Date;
  contentHash: Buffer | null;
  subjectHash: Buffer | null;
  skipped: readonly string[];
}

/** Saves that the record holds all that the server had. */
export const updateCoverage = ({ patientId, sourceId }: SyncKey, coverage: Coverage) => sql`
  update source_sync set covered_until = ${coverage.coveredUntil}, synchronized_at = ${coverage.synchronizedAt},
    content_hash = ${coverage.contentHash}, subject_hash = coalesce(${coverage.subjectHash}, subject_hash),
    skipped_types = ${coverage.skipped}::text[]
  where patient_id = ${patientId} and source_id = ${sourceId}`;

export const updateCounts = (
  { patientId, sourceId }: SyncKey,
  counts: { pages: number; resources: number; bytes: number },
) => sql`
  update source_sync set pages = ${counts.pages}, resources = ${counts.resources}, bytes = ${counts.bytes}
  where patient_id = ${patientId} and source_id = ${sourceId}`;

interface SyncFilter {
  /** null: all. */
  states: readonly SourceState[] | null;
  patientId: PatientId | null;
  /** Who may see patients of some projects only. */
  reach: OrganizationReach;
}

/** A condition on a sync `y`. */
const buildFilter = (sourceId: SourceId, { states, patientId, reach }: SyncFilter) => sql`
  y.source_id = ${sourceId} and (${states}::text[] is null or y.state = any(${states}::text[]))
    and (${patientId}::uuid is null or y.patient_id = ${patientId}::uuid)
    and ${isEnrolledWithin(reach, raw('y.patient_id'))}`;

export const selectSyncs = (
  sourceId: SourceId,
  { limit, offset, ...filter }: PageQuery & SyncFilter,
) => sql<ListedSyncRow>`
  select ${columns}, ${nextAttemptAt} as next_attempt_at from source_sync y where ${buildFilter(sourceId, filter)}
  order by patient_id limit ${limit} offset ${offset}`;

export const countSyncs = (sourceId: SourceId, filter: SyncFilter) => sql<{ total: number }>`
  select count(*) as total from source_sync y where ${buildFilter(sourceId, filter)}`;

/** Counts the patients in each state, at each of the sources. */
export const countSyncsByState = (reach: OrganizationReach, sourceIds: readonly SourceId[]) => sql<{
  source_id: SourceId;
  state: SourceState;
  total: number;
}>`
  select source_id, state, count(*) as total from source_sync
  where source_id = any(${sourceIds}::uuid[]) and ${isEnrolledWithin(reach, raw('source_sync.patient_id'))}
  group by source_id, state`;

/**
 * A condition on an enrollment `e` of the organization: somebody in one of these states at one of its sources. Those in trouble are few
 * and have an index, so they are looked up first; the planner, which does not know how many rows the page asks for, would go
 * through the list until it has found so many (1.4 s for 200 of 100,000).
 */
export const isAtSource = (organizationId: OrganizationId, states: readonly SourceState[]): Sql => {
  const literals = raw(states.map((state) => `'${STATES[state]}'`).join(', '));
  const isInState = sql`y.organization_id = ${organizationId} and y.state in (${literals})`;
  return states.every((state) => TROUBLED.includes(state))
    ? sql`e.patient_id = any(array(select y.patient_id from source_sync y where ${isInState}))`
    : sql`exists (select from source_sync y where y.patient_id = e.patient_id and ${isInState})`;
};

/** Those of the index `source_sync_troubled`. */
const TROUBLED: readonly SourceState[] = ['failed', 'ambiguous_match', 'needs_organization_review'];

/** As literals: the planner then knows which are rare, and that there is an index of those. */
const STATES: Readonly<Record<SourceState, string>> = {
  waiting: 'waiting',
  running: 'running',
  up_to_date: 'up_to_date',
  no_match: 'no_match',
  ambiguous_match: 'ambiguous_match',
  needs_organization_review: 'needs_organization_review',
  failed: 'failed',
  paused: 'paused',
};

export const deleteSyncs = (sourceId: SourceId) => sql`delete from source_sync where source_id = ${sourceId}`;

export interface PatientSourceRow {
  source_id: SourceId;
  base_url: string;
  name: string;
  organization_id: OrganizationId;
  organization_name: string;
  state: SourceState;
  code: string | null;
  synchronized_at: Date | null;
  next_attempt_at: Date | null;
  /** The source is active, and the patient shares with a project of it. */
  open: boolean;
}

/** Selects a patient's sources: those of one organization, or of all, with a consent now or a sync before. */
export const selectPatientSources = (
  patientId: PatientId,
  { organizationId, now }: { organizationId: OrganizationId | null; now: Date },
) => sql<PatientSourceRow>`
  with shared as (${selectPermittedProjects(patientId, now)}),
  connected as (
    select s.source_id, s.name, s.base_url, s.organization_id, s.status,
      exists (select from shared where shared.organization_id = s.organization_id
        and (s.project_ids is null or shared.project_id = any(s.project_ids))) as shared
    from record_source s
    where (${organizationId}::uuid is null or s.organization_id = ${organizationId}::uuid)
      and s.serves_test_patients = ${isTestPatient(sql`${patientId}::uuid`)})
  select k.source_id, k.name, k.base_url, k.organization_id, ${ORGANIZATION_NAME} as organization_name,
    case when k.status = 'paused' or not k.shared then 'paused' else coalesce(y.state, 'waiting') end as state,
    case when k.status = 'paused' then 'source_paused' when not k.shared then 'no_consent' else y.code end as code,
    y.synchronized_at, case when k.status = 'active' and k.shared then ${nextAttemptAt} end as next_attempt_at,
    k.status = 'active' and k.shared as open
  from connected k
  join organization o on o.organization_id = k.organization_id
  left join source_sync y on y.patient_id = ${patientId} and y.source_id = k.source_id
  where k.shared or y.source_id is not null
  order by organization_name, k.name`;
