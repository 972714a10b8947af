import type { BatchId, ConsentRecordId, PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

/** For the person themself: what they hold of their own record depends on no consent. */
export const selectNextType = (patientId: PatientId, after: string) => sql<{ resource_type: string }>`
  select resource_type from resource where patient_id = ${patientId} and resource_type > ${after}
  order by resource_type limit 1`;

/** Bodies of one type by id, as many as fit into `bytes`, at least one: one body may have 32 MiB, most have 2 KiB. */
export const selectBodiesOfType = (
  patientId: PatientId,
  page: { type: string; after: string; limit: number; bytes: number },
) => sql<{ fhir_id: string; body: string }>`
  select fhir_id, body
  from (
    select fhir_id, body, sum(octet_length(body)) over (order by fhir_id) - octet_length(body) as before
    from (
      select fhir_id, body from resource
      where patient_id = ${patientId} and resource_type = ${page.type} and fhir_id > ${page.after}
      order by fhir_id limit ${page.limit}) page) sized
  where before < ${page.bytes}
  order by fhir_id`;

export interface DocumentRow {
  document_id: string;
  batch_id: BatchId;
  path: string;
  received_at: Date;
}

/** Kept documents, batch by batch, a page at a time. */
export const selectDocumentPage = (
  patientId: PatientId,
  after: Pick<DocumentRow, 'batch_id' | 'path' | 'document_id'>,
  limit: number,
) => sql<DocumentRow>`
  select document_id, batch_id, path, received_at from document
  where patient_id = ${patientId}
    and (batch_id, path, document_id) > (${after.batch_id}::uuid, ${after.path}::text, ${after.document_id}::uuid)
  order by batch_id, path, document_id limit ${limit}`;

export const selectConsentRecordIds = (patientId: PatientId, after: ConsentRecordId, limit: number) => sql<{
  consent_record_id: ConsentRecordId;
}>`
  select consent_record_id from consent_record where patient_id = ${patientId} and consent_record_id > ${after}
  order by consent_record_id limit ${limit}`;

/** What the log says of a patient, in all organizations, in the order it happened: each entry as a line of JSON. */
export const selectAuditLines = (patientId: PatientId, after: string, limit: number) => sql<{
  entry_id: string;
  line: string;
}>`
  select a.entry_id, json_build_object(
      'id', a.entry_id, 'at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'action', a.action,
      'outcome', a.outcome, 'actor', json_build_object('kind', a.actor_kind, 'id', a.actor_id), 'client', a.client,
      'organization', json_build_object('id', o.organization_id, 'name', o.name),
      'project', case when pr.project_id is not null then json_build_object('id', pr.project_id, 'name', pr.name) end,
      'consentRecordId', a.consent_record_id, 'detail', a.detail)::text as line
  from audit_entry a
  join organization o on o.organization_id = a.organization_id
  left join project pr on pr.project_id = a.project_id
  where a.patient_id = ${patientId} and a.entry_id > ${after}
  order by a.entry_id limit ${limit}`;
