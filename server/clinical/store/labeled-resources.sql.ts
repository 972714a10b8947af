import type { DataMask, PatientId } from '../../../contract/brands.ts';
import { ResourceScope } from '../../../contract/data-categories.ts';
import { toLabelMask } from '../../consent/access/sensitivity-labels.ts';
import { textArray } from '../../platform/db/array-values.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { limitBodyBytes } from './limit-body-bytes.sql.ts';

export interface LabeledResourceRow {
  seq: number;
  /** `Type/id`. */
  reference: string;
  required_labels: DataMask;
}

export interface LabelPageQuery {
  labels: DataMask;
  after: number;
  limit: number;
}

/**
 * Finds the resources of the record that require any of these labels, or more than one category, with these labels and those
 * categories, in the order of `seq`. Few do: all labels are read in one pass of their narrow table, where a look-up of each of
 * 25,000 targets took 25 times as long.
 */
export const findLabeledResources = (patientId: PatientId, query: LabelPageQuery) =>
  findByLabels(patientId, raw('required_labels'), query);

const PUBLISHED = raw('coalesce(published_labels, required_labels)');

/** The same by the labels that readers go by, until the run that labels the record has ended. */
export const findPublishedResources = (patientId: PatientId, query: LabelPageQuery) =>
  findByLabels(patientId, PUBLISHED, query);

export interface LabeledBodyRow {
  seq: number;
  body: string;
  /** The id that it has where it came from. */
  source_id: string;
  required_labels: DataMask;
}

export interface LabeledBodiesQuery extends LabelPageQuery {
  /** Null: all. */
  types: readonly string[] | null;
}

/** Finds the bodies of such resources that are of these types, as many as fill a page. */
export const findLabeledBodies = (patientId: PatientId, query: LabeledBodiesQuery) =>
  findBodiesByLabels(patientId, raw('required_labels'), query);

export const findPublishedBodies = (patientId: PatientId, query: LabeledBodiesQuery) =>
  findBodiesByLabels(patientId, PUBLISHED, query);

export interface LabeledTypeRow extends LabeledBodyRow, Pick<LabeledResourceRow, 'reference'> {}

/** Finds the bodies of resources of these types that require any of the labels, as many as fill a page. */
export const findLabeledOfTypes = (
  patientId: PatientId,
  types: readonly string[],
  { labels, after, limit }: LabelPageQuery,
) => sql<LabeledTypeRow>`
  ${limitBodyBytes(sql`
    select n.seq, r.reference, r.body, r.source_id, n.required_labels
    from (
      select seq, required_labels & ${labels}::integer as required_labels from resource_label
      where patient_id = ${patientId} and seq > ${after} and required_labels & ${labels}::integer <> 0 order by seq offset 0) n
    cross join lateral (
      select resource_type || '/' || fhir_id as reference, body, source_id from resource
      where patient_id = ${patientId} and seq between n.seq and n.seq and resource_type = any(${textArray(types)}) order by seq offset 0) r
    order by n.seq limit ${limit}`)}`;

const CATEGORIES = toLabelMask(ResourceScope.options);

/** Those of the labels that a resource requires, and its categories where there are several: of one alone its type is known. */
const selectAdded = (column: Sql, labels: DataMask): Sql => {
  const categories = sql`(${column} & ${CATEGORIES}::integer)`;
  return sql`(${column} & ${labels}::integer | case when ${categories} & (${categories} - 1) = 0 then 0 else ${categories} end)`;
};

const selectByLabels = (patientId: PatientId, column: Sql, { labels, after }: LabelPageQuery) => sql`
  select seq, ${selectAdded(column, labels)} as required_labels from resource_label
  where patient_id = ${patientId} and seq > ${after} and ${selectAdded(column, labels)} <> 0
  order by seq`;

const findBodiesByLabels = (patientId: PatientId, column: Sql, query: LabeledBodiesQuery) => {
  const isOfTypes = query.types === null ? sql`` : sql`and resource_type = any(${textArray(query.types)})`;
  return sql<LabeledBodyRow>`
  ${limitBodyBytes(sql`
    select n.seq, r.body, r.source_id, n.required_labels
    from (${selectByLabels(patientId, column, query)} offset 0) n
    cross join lateral (
      select body, source_id from resource
      where patient_id = ${patientId} and seq between n.seq and n.seq ${isOfTypes} order by seq offset 0) r
    order by n.seq limit ${query.limit}`)}`;
};

const findByLabels = (patientId: PatientId, column: Sql, query: LabelPageQuery) =>
  sql<LabeledResourceRow>`
  select n.seq, r.resource_type || '/' || r.fhir_id as reference, n.required_labels
  from (${selectByLabels(patientId, column, query)} limit ${query.limit}) n
  cross join lateral (
    select resource_type, fhir_id from resource where patient_id = ${patientId} and seq between n.seq and n.seq order by seq offset 0) r
  order by n.seq`;

/** Finds the resources that are written and not labeled yet, by `Type/id`; none where nothing else is in the record. */
export const findUnlabeled = (patientId: PatientId) => sql<{ reference: string }>`
  select resource_type || '/' || fhir_id as reference from resource
  where patient_id = ${patientId} and last_updated > (select labeled_until from record_head where patient_id = ${patientId})
    and exists (select from resource_label where patient_id = ${patientId})`;
