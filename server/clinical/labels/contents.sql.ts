import type { BatchId, DataMask, PatientId } from '../../../contract/brands.ts';
import { bigintArray } from '../../platform/db/array-values.ts';
import { forAnyPatient, sql } from '../../platform/db/sql.ts';
import { getPublishedLabels } from '../store/published-labels.sql.ts';
import { isFetched } from '../store/resources.sql.ts';
import type { UnreadContent } from './embedded-content.ts';

/** What one resource names and holds, see `resource_content`. */
export interface ResourceContents {
  seq: number;
  /** The ids of the Binaries that it names. */
  binaries: readonly string[];
  /** What it names by an identifier or a link: as `Type/id`, or as `nameByIdentifier` does. */
  named: readonly string[];
  unread: readonly UnreadContent[];
  /** `Type/id` of what a Binary belongs to, by its own words. */
  securityContext: string | null;
}

/** How the name of a security context begins: it is no name that the Binary is redacted for. */
const CONTEXT = 'securityContext:';

export const deleteContents = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from resource_content where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

export const insertContents = (patientId: PatientId, contents: readonly ResourceContents[]) => {
  const rows = contents.flatMap(({ seq, binaries, named, unread, securityContext }) => [
    ...[
      ...binaries.map((id) => `Binary/${id}`),
      ...named,
      ...(securityContext === null ? [] : [CONTEXT + securityContext]),
    ].map((name) => ({
      seq,
      name,
      is_unread: false,
      title: null,
      description: null,
    })),
    ...unread.map(({ digest, title, description }) => ({
      seq,
      name: digest,
      is_unread: true,
      title,
      description,
    })),
  ]);
  return sql`
    insert into resource_content (patient_id, seq, name, is_unread, title, description)
    select ${patientId}, seq, name, is_unread, title, description
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as given(seq bigint, name text, is_unread boolean, title text, description text)
    on conflict do nothing`;
};

export interface BinaryLink {
  seq: number;
  required_labels: DataMask;
  binary_seq: number;
  binary_id: string;
  /** The Binary names the resource, as its security context, and not the resource the Binary. */
  is_context: boolean;
}

/** Type and id of the security context of a row `c`. */
const CONTEXT_TYPE = sql`split_part(split_part(c.name, ':', 2), '/', 1)`;
const CONTEXT_ID = sql`split_part(c.name, '/', 2)`;

/**
 * Finds the Binaries of a record that a resource names, or that name it as their security context, with the labels of both. Looked
 * up as in `resources.sql.ts`, here and below.
 */
export const findBinaryLinks = (patientId: PatientId) =>
  forAnyPatient(sql<BinaryLink>`
  select c.seq, coalesce(n.required_labels, -1) as required_labels, b.seq as binary_seq, b.fhir_id as binary_id, false as is_context
  from resource_content c
  cross join lateral (
    select seq, fhir_id from resource
    where patient_id = ${patientId} and resource_type = 'Binary' and fhir_id between substr(c.name, 8) and substr(c.name, 8)
    order by fhir_id offset 0) b
  left join lateral (
    select required_labels from resource_label where patient_id = ${patientId} and seq = c.seq offset 0) n on true
  where c.patient_id = ${patientId} and not c.is_unread and c.name like 'Binary/%' and c.seq <> b.seq
  union all
  select r.seq, coalesce(n.required_labels, -1), c.seq, '', true
  from resource_content c
  cross join lateral (
    select seq from resource
    where patient_id = ${patientId} and resource_type = ${CONTEXT_TYPE} and fhir_id between ${CONTEXT_ID} and ${CONTEXT_ID}
    order by fhir_id offset 0) r
  left join lateral (
    select required_labels from resource_label where patient_id = ${patientId} and seq = r.seq offset 0) n on true
  where c.patient_id = ${patientId} and not c.is_unread and c.name like 'securityContext:%'
  order by seq, binary_seq`);

export interface NamedRow {
  seq: number;
  name: string;
}

/** Finds what the resources of a record name by an identifier or a link. */
export const findNamesElsewhere = (patientId: PatientId) => sql<NamedRow>`
  select seq, name from resource_content
  where patient_id = ${patientId} and not is_unread and name not like 'Binary/%' and name not like 'securityContext:%'
  order by seq, name`;

/** Finds the labels of resources that are stored. */
export const findStoredLabels = (patientId: PatientId, seqs: readonly number[]) => sql<{
  seq: number;
  required_labels: DataMask;
  /** What readers go by. */
  published_labels: DataMask;
}>`
  select seq, required_labels, ${getPublishedLabels('resource_label')} as published_labels
  from resource_label where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

/** Finds the resources that a batch wrote with content that could not be read, and of which nothing is stated. */
export const findUnreadOfBatch = (patientId: PatientId, batchId: BatchId, limit: number) => sql<{
  document_path: string;
  reference: string;
  fetched: boolean;
}>`
  select distinct r.document_path, r.resource_type || '/' || r.fhir_id as reference, r.fetched, r.seq
  from resource_content c
  cross join lateral (
    select seq, resource_type, fhir_id, document_path, ${isFetched(patientId)} as fetched from resource
    where patient_id = ${patientId} and seq between c.seq and c.seq and last_batch_id = ${batchId} order by seq offset 0) r
  where c.patient_id = ${patientId} and c.is_unread and not exists (
    select from content_statement s where s.patient_id = ${patientId} and s.digest = c.name offset 0)
  order by r.seq limit ${limit}`;

/** The digests of content of which the patient says that it holds nothing very private. */
export const findStatements = (patientId: PatientId) => sql<{ digest: string }>`
  select digest from content_statement where patient_id = ${patientId}`;

export interface UnreadRow {
  digest: string;
  title: string | null;
  description: string;
  path: string;
  stated_at: Date | null;
  total: number;
}

/** Selects the contents of a record that could not be read, each once, in the order they came. */
export const selectUnread = (patientId: PatientId, limit: number) => sql<UnreadRow>`
  select digest, title, description, path, stated_at, count(*) over () as total
  from (
    select distinct on (c.name) c.name as digest, c.title, c.description, r.document_path as path, s.stated_at, c.seq
    from resource_content c
    cross join lateral (
      select document_path from resource where patient_id = ${patientId} and seq between c.seq and c.seq order by seq offset 0) r
    left join lateral (
      select stated_at from content_statement where patient_id = ${patientId} and digest = c.name offset 0) s on true
    where c.patient_id = ${patientId} and c.is_unread
    order by c.name, c.seq) unread
  order by seq, digest limit ${limit}`;

/** Finds the resources that hold an unread content, those that name one which is a Binary, and the security context of one. */
export const findHolders = (patientId: PatientId, digest: string) => sql<{ seq: number }>`
  with holder as (
    select seq from resource_content where patient_id = ${patientId} and name = ${digest} and is_unread)
  select seq from holder
  union
  select seq from resource_content
  where patient_id = ${patientId} and not is_unread and name = any(array(
    select 'Binary/' || b.fhir_id from holder cross join lateral (
      select fhir_id from resource
      where patient_id = ${patientId} and seq between holder.seq and holder.seq and resource_type = 'Binary' order by seq offset 0) b))
  union
  select r.seq from resource_content c join holder on holder.seq = c.seq
  cross join lateral (
    select seq from resource
    where patient_id = ${patientId} and resource_type = ${CONTEXT_TYPE} and fhir_id between ${CONTEXT_ID} and ${CONTEXT_ID}
    order by fhir_id offset 0) r
  where c.patient_id = ${patientId} and not c.is_unread and c.name like 'securityContext:%'
  order by seq`;

export const insertStatement = (patientId: PatientId, digest: string, now: Date) => sql`
  insert into content_statement (patient_id, digest, stated_at) values (${patientId}, ${digest}, ${now})
  on conflict (patient_id, digest) do nothing returning 1`;

export const deleteStatement = (patientId: PatientId, digest: string) => sql`
  delete from content_statement where patient_id = ${patientId} and digest = ${digest} returning 1`;
