import type { ResourceScope } from '../../../contract/data-categories.ts';
import type { BatchId, DataMask, PatientId } from '../../../contract/brands.ts';
import { bigintArray, byteaArray, textArray } from '../../platform/db/array-values.ts';
import { isSeqOf } from './among-seqs.sql.ts';
import { forAnyPatient, sql, type Sql } from '../../platform/db/sql.ts';
import type { ClinicalPeriod } from './clinical-periods.sql.ts';
import { limitBodyBytes } from './limit-body-bytes.sql.ts';
import { READING_VERSION } from './reading-version.ts';
import { LOOKED_UP_TYPES } from './looked-up-types.ts';
import { PARTY_TYPES } from './party-types.ts';

export interface RecordHeadRow {
  next_seq: number;
  last_synchronized_at: Date | null;
  removed_at: Date | null;
  /** How often anybody has locked it. */
  version: number;
  /** The last run of labeling that began. */
  labeling_run: number;
  /** Until when all changes have their labels; null: until the last one. */
  labeled_until: Date | null;
  /** As `parseChanges` reads them. */
  unannounced_changes: string | null;
}

/**
 * Locks the record for writing, by counting its version: what was made of it is of an earlier one. Returns no row when the
 * patient was deleted.
 */
export const lockRecord = (patientId: PatientId) => sql<RecordHeadRow>`
  update record_head set version = version + 1 where patient_id = ${patientId}
  returning next_seq, last_synchronized_at, removed_at, version, labeling_run, labeled_until, unannounced_changes`;

/**
 * What is written has no labels yet: `labeled_until` stays where it was before the batch, until `endLabeling`. A record that was
 * empty is of the rules of whoever writes into it, and one that holds what others read of the earlier ones.
 */
export const advanceRecord = (
  patientId: PatientId,
  head: { nextSeq: number; added: number; now: Date },
) => sql`
  update record_head set next_seq = ${head.nextSeq}, total = total + ${head.added}, last_synchronized_at = ${head.now},
    labeled_until = coalesce(labeled_until, last_synchronized_at, ${head.now}::timestamptz - interval '1 millisecond'),
    read_version = case when next_seq = 1 then ${READING_VERSION}
      when read_version > ${READING_VERSION} then ${READING_VERSION} else read_version end
  where patient_id = ${patientId}`;

/**
 * Notes whether two resources of one type share the first 8 characters of a UUID, which is what answers show of it. Random
 * UUIDs hardly ever do; those that count up, or begin with the time, do.
 */
export const updateAlikeIds = (patientId: PatientId) => sql`
  update record_head set has_alike_ids = exists (
    select from resource where patient_id = ${patientId} and length(fhir_id) >= 8
    group by resource_type, lower(left(fhir_id, 8)) having count(*) > 1 and bool_or(length(fhir_id) = 36))
  where patient_id = ${patientId}`;

export interface KnownResourceRow {
  seq: number;
  resource_type: string;
  fhir_id: string;
  origin: string;
  source_id: string;
  source_hash: Buffer;
  first_batch_id: BatchId;
  last_batch_id: BatchId;
}

/**
 * Finds the resources that have one of these ids at their source. `lateral … offset 0`, here and below, makes one look-up for
 * each, whatever the planner knows of the table; while a first import fills it, it knows nothing. The order, which only the
 * right index has, makes it the right index: in a table that was vacuumed when it was almost empty, the planner thinks that
 * everybody has one row, for which any index would do, and each look-up read all of the record (4.3 s a page at 20,000 resources).
 */
export const findResourcesBySourceId = (patientId: PatientId, sourceIds: readonly string[]) =>
  forAnyPatient(sql<KnownResourceRow>`
  select r.seq, r.resource_type, r.fhir_id, r.origin, r.source_id, r.source_hash, r.first_batch_id, r.last_batch_id
  from (select distinct unnest(${textArray(sourceIds)}) as source_id) wanted
  cross join lateral (
    select * from resource where patient_id = ${patientId} and source_id = wanted.source_id
    order by source_id, resource_type, origin offset 0) r`);

/** One look-up of `wanted.type` and `wanted.id`, of a statement `forAnyPatient`; by equality the order would say nothing. */
export const lookUpById = (patientId: PatientId): Sql => sql`
    select * from resource
    where patient_id = ${patientId} and resource_type = wanted.type and fhir_id between wanted.id and wanted.id
    order by fhir_id offset 0`;

export const hasResources = (patientId: PatientId) => sql<{ has_resources: boolean }>`
  select exists (select from resource where patient_id = ${patientId}) as has_resources`;

/** Finds which of these ids the record has already, also those of resources of another source. */
export const findExistingIds = (patientId: PatientId, ids: readonly { type: string; id: string }[]) =>
  forAnyPatient(sql<{
    resource_type: string;
    fhir_id: string;
  }>`
  select r.resource_type, r.fhir_id
  from unnest(${textArray(ids.map(({ type }) => type))}, ${textArray(ids.map(({ id }) => id))}) as wanted(type, id)
  cross join lateral (
    ${lookUpById(patientId)}) r`);

/** Finds the resources behind other names: `urn:uuid:…` and `Practitioner|system|value`. */
export const findResourcesByIdentifier = (patientId: PatientId, names: readonly string[]) => sql<{
  name: string;
  resource_type: string;
  fhir_id: string;
}>`
  select i.identifier as name, r.resource_type, r.fhir_id
  from (select distinct unnest(${textArray(names)}) as name) wanted
  cross join lateral (
    select identifier, seq from resource_identifier where patient_id = ${patientId} and identifier = wanted.name offset 0) i
  cross join lateral (
    select resource_type, fhir_id from resource where patient_id = ${patientId} and seq between i.seq and i.seq order by seq offset 0) r
  order by i.seq`;

/** Finds the resources of some types that have identifiers, in the order of `seq`: as many as fill a page. */
export const findResourcesOfTypes = (
  patientId: PatientId,
  { types, after, limit }: { types: readonly string[]; after: number; limit: number },
) => sql<{ seq: number; reference: string; body: string }>`
  ${limitBodyBytes(sql`
    select seq, resource_type || '/' || fhir_id as reference, body from resource
    where patient_id = ${patientId} and seq > ${after} and resource_type = any(${textArray(types)})
      and body like '%"identifier"%'
    order by seq limit ${limit}`)}`;

export interface ResourceInput {
  seq: number;
  type: string;
  id: string;
  origin: string;
  sourceId: string;
  category: string;
  body: string;
  sourceHash: Buffer;
  display: string | null;
  displayCode: string | null;
  organization: string | null;
  organizationReference: string | null;
  documentPath: string;
  period: ClinicalPeriod;
}

export interface WriteContext {
  patientId: PatientId;
  batchId: BatchId;
  now: Date;
}

/** The rows of a statement that writes resources. */
export const unnestColumns = (rows: readonly ResourceInput[]) => sql`
  unnest(${bigintArray(rows.map((row) => row.seq))}, ${textArray(rows.map((row) => row.type))}, ${textArray(rows.map((row) => row.id))},
    ${textArray(rows.map((row) => row.origin))}, ${textArray(rows.map((row) => row.sourceId))}, ${textArray(rows.map((row) => row.category))},
    ${textArray(rows.map((row) => row.body))}, ${byteaArray(rows.map((row) => row.sourceHash))}, ${textArray(rows.map((row) => row.display))},
    ${textArray(rows.map((row) => row.displayCode))},
    ${textArray(rows.map((row) => row.organization))}, ${textArray(rows.map((row) => row.organizationReference))},
    ${textArray(rows.map((row) => row.documentPath))}, ${rows.map((row) => row.period.first)}::date[], ${rows.map((row) => row.period.last)}::date[])
  as n(seq, resource_type, fhir_id, origin, source_id, category, body, source_hash, display, display_code, organization,
    organization_reference, document_path, first_day, last_day)`;

export const insertResources = (
  { patientId, batchId, now }: WriteContext,
  rows: readonly ResourceInput[],
) => sql`
  insert into resource (patient_id, seq, resource_type, fhir_id, origin, source_id, category, body, source_hash, display, display_code,
    organization, organization_reference, document_path, first_day, last_day, last_updated, first_batch_id, last_batch_id)
  select ${patientId}, n.seq, n.resource_type, n.fhir_id, n.origin, n.source_id, n.category, n.body, n.source_hash, n.display, n.display_code,
    n.organization, n.organization_reference, n.document_path, n.first_day, n.last_day, ${now}, ${batchId}, ${batchId}
  from ${unnestColumns(rows)}`;

export const updateResources = (
  { patientId, batchId, now }: WriteContext,
  rows: readonly ResourceInput[],
) => sql`
  update resource r set origin = n.origin, category = n.category, body = n.body, source_hash = n.source_hash, display = n.display, display_code = n.display_code,
    organization = n.organization, organization_reference = n.organization_reference, document_path = n.document_path,
    first_day = n.first_day, last_day = n.last_day, last_updated = ${now}, last_batch_id = ${batchId}
  from ${unnestColumns(rows)}
  where r.patient_id = ${patientId} and ${isSeqOf(rows, 'r')} and r.seq = n.seq`;

export interface RewrittenResource {
  seq: number;
  body: string;
  organizationReference: string | null;
}

export const updateBodies = (
  { patientId, batchId, now }: WriteContext,
  rows: readonly RewrittenResource[],
) => sql`
  update resource r set body = n.body, organization_reference = n.organization_reference, last_updated = ${now}, last_batch_id = ${batchId}
  from unnest(${bigintArray(rows.map(({ seq }) => seq))}, ${textArray(rows.map(({ body }) => body))},
    ${textArray(rows.map(({ organizationReference }) => organizationReference))}) as n(seq, body, organization_reference)
  where r.patient_id = ${patientId} and ${isSeqOf(rows, 'r')} and r.seq = n.seq`;

/** Stores the present versions of resources, before they change at `now`. */
export const insertVersions = (patientId: PatientId, seqs: readonly number[], now: Date) => sql`
  insert into resource_version (patient_id, seq, resource_type, fhir_id, body, first_day, last_day, required_labels, redactions,
    valid_from, valid_until)
  select r.patient_id, r.seq, r.resource_type, r.fhir_id, r.body, r.first_day, r.last_day, coalesce(n.labels, -1), n.redactions,
    r.last_updated, ${now}
  from resource r left join lateral (
    select coalesce(published_labels, required_labels) as labels,
      case when published_labels is null then redactions else published_redactions end as redactions
    from resource_label where patient_id = ${patientId} and seq = r.seq offset 0) n on true
  where r.patient_id = ${patientId} and r.seq = any(${bigintArray(seqs)})`;

/** Deletes versions that were replaced until then, unless a batch that is not labeled yet replaced them: they are what readers see. */
export const deleteVersions = (until: Date) => sql`
  delete from resource_version v
  where valid_until <= ${until} and not exists (
    select from record_head h where h.patient_id = v.patient_id and h.labeled_until < v.valid_until)`;

export const deleteIdentifiers = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from resource_identifier where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

export const insertIdentifiers = (
  patientId: PatientId,
  names: readonly { name: string; seq: number }[],
) => sql`
  insert into resource_identifier (patient_id, identifier, seq)
  select ${patientId}, name, seq from unnest(${textArray(names.map(({ name }) => name))}, ${bigintArray(names.map(({ seq }) => seq))}) as n(name, seq)
  on conflict do nothing`;

export interface ResourceRow {
  seq: number;
  resource_type: string;
  fhir_id: string;
  body: string;
  origin: string;
  /** The id that it has where it came from. */
  source_id: string;
  first_batch_id: BatchId;
  document_path: string;
  /** A connected server sent it, or sent what it was at first. */
  fetched: boolean;
  /** The labels that readers go by, until it is labeled anew; -1: it has none yet. */
  published_labels: DataMask;
}

const getPublishedLabels = (patientId: PatientId): Sql => sql`
  case when last_updated > (select labeled_until from record_head where patient_id = ${patientId}) then -1
    else coalesce((
      select coalesce(l.published_labels, l.required_labels) from resource_label l
      where l.patient_id = ${patientId} and l.seq = resource.seq), -1) end as published_labels`;

/** A condition on a row of `resource`: a connected server sent it, or sent what it was at first. */
export const isFetched = (patientId: PatientId): Sql => sql`exists (
  select from upload_batch b where b.patient_id = ${patientId} and b.source_id is not null
    and b.batch_id in (resource.first_batch_id, resource.last_batch_id))`;

export interface ResourcePageQuery {
  after: number;
  limit: number;
  batchId: BatchId | null;
  /** Only these types, or all but these. */
  types: { only: readonly string[] } | { not: readonly string[] };
}

/** Finds resources in the order of `seq`, a page at a time: of the whole record, or those that one batch wrote. */
export const findResources = (
  patientId: PatientId,
  { after, limit, batchId, types }: ResourcePageQuery,
) => sql<ResourceRow>`
  ${limitBodyBytes(sql`
    select seq, resource_type, fhir_id, body, origin, source_id, first_batch_id, document_path, ${isFetched(patientId)} as fetched,
      ${getPublishedLabels(patientId)} from resource
    where patient_id = ${patientId} and seq > ${after}
      ${batchId === null ? sql`` : sql`and last_batch_id = ${batchId}`}
      ${'only' in types ? sql`and resource_type = any(${textArray(types.only)})` : sql`and resource_type <> all(${textArray(types.not)})`}
    order by seq limit ${limit}`)}`;

/** Finds the first of these resources, in the order of `seq`. */
export const findResourcesBySeq = (patientId: PatientId, seqs: readonly number[]) => sql<ResourceRow>`
  ${limitBodyBytes(sql`
    select seq, resource_type, fhir_id, body, origin, source_id, first_batch_id, document_path, ${isFetched(patientId)} as fetched,
      ${getPublishedLabels(patientId)} from resource
    where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`)}`;

/** Finds the category of each resource behind these references. */
export const findCategories = (patientId: PatientId, references: readonly { type: string; id: string }[]) =>
  forAnyPatient(sql<{ reference: string; category: ResourceScope }>`
  select r.resource_type || '/' || r.fhir_id as reference, r.category
  from unnest(${textArray(references.map(({ type }) => type))}, ${textArray(references.map(({ id }) => id))}) as wanted(type, id)
  cross join lateral (
    ${lookUpById(patientId)}) r`);

/** Deletes the labels of changed resources: until they are classified again, consents that withhold anything hide them. */
export const deleteRequiredLabels = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from resource_label where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

/** Finds the display names of the resources behind these references, and the organizations they name. */
export const findDisplays = (patientId: PatientId, references: readonly { type: string; id: string }[]) =>
  forAnyPatient(sql<{
    reference: string;
    display: string | null;
    display_code: string | null;
    organization: string | null;
    organization_reference: string | null;
    required_labels: DataMask;
  }>`
  select r.resource_type || '/' || r.fhir_id as reference, r.display, r.display_code,
    coalesce((select n.required_labels from resource_label n where n.patient_id = ${patientId} and n.seq = r.seq), -1) as required_labels,
    r.organization, r.organization_reference
  from unnest(${textArray(references.map(({ type }) => type))}, ${textArray(references.map(({ id }) => id))}) as wanted(type, id)
  cross join lateral (
    ${lookUpById(patientId)}) r`);

/** Whether a batch wrote resources whose names entries of earlier batches show, or whose classes facts of these inherit. */
export const hasNewDisplays = (patientId: PatientId, batchId: BatchId) => sql<{ has_new_displays: boolean }>`
  select exists (select from resource where patient_id = ${patientId} and last_batch_id = ${batchId}
      and resource_type = any(${textArray([...new Set([...LOOKED_UP_TYPES, ...PARTY_TYPES])])}))
    and exists (select from resource where patient_id = ${patientId} and last_batch_id <> ${batchId}) as has_new_displays`;
