import type { BatchId, DataMask, PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import type { UnreadContent } from './embedded-content.ts';

/** What one resource names and holds, see `resource_content`. */
export interface ResourceContents {
  seq: number;
  /** The ids of the Binaries that it names. */
  binaries: readonly string[];
  unread: readonly UnreadContent[];
}

export const deleteContents = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from resource_content where patient_id = ${patientId} and seq = any(${seqs}::bigint[])`;

export const insertContents = (patientId: PatientId, contents: readonly ResourceContents[]) => {
  const rows = contents.flatMap(({ seq, binaries, unread }) => [
    ...binaries.map((id) => ({
      seq,
      name: `Binary/${id}`,
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

/** Finds the Binaries of a record that a resource names, with the labels of both. */
export const findBinaryLinks = (patientId: PatientId) => sql<{
  seq: number;
  required_labels: DataMask;
  binary_seq: number;
}>`
  select c.seq, coalesce(n.required_labels, -1) as required_labels, b.seq as binary_seq
  from resource_content c
  join resource b on b.patient_id = ${patientId} and b.resource_type = 'Binary' and b.fhir_id = substr(c.name, 8)
  left join resource_label n on n.patient_id = ${patientId} and n.seq = c.seq
  where c.patient_id = ${patientId} and not c.is_unread and c.seq <> b.seq
  order by c.seq, b.seq`;

/** Finds the labels of Binaries that are stored. */
export const findStoredLabels = (patientId: PatientId, seqs: readonly number[]) => sql<{
  seq: number;
  required_labels: DataMask;
}>`
  select seq, required_labels from resource_label where patient_id = ${patientId} and seq = any(${seqs}::bigint[])`;

/** Finds the resources that a batch wrote with content that could not be read, and of which nothing is stated. */
export const findUnreadOfBatch = (patientId: PatientId, batchId: BatchId, limit: number) => sql<{
  document_path: string;
  reference: string;
}>`
  select distinct r.document_path, r.resource_type || '/' || r.fhir_id as reference, r.seq
  from resource_content c
  join resource r on r.patient_id = ${patientId} and r.seq = c.seq
  where c.patient_id = ${patientId} and c.is_unread and r.last_batch_id = ${batchId}
    and not exists (select from content_statement s where s.patient_id = ${patientId} and s.digest = c.name)
  order by r.seq limit ${limit}`;

/** The digests of content of which the patient says that it holds nothing very private. */
export const findStatements = (patientId: PatientId) => sql<{ digest: string }>`
  select digest from content_statement where patient_id = ${patientId}`;
