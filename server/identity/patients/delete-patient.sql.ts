import type { PatientId } from '../../../contract/brands.ts';
import type { Sql } from '../../platform/db/sql.ts';

/**
 * Every table that holds rows about a patient, whichever module owns it: a deletion is the one write that bypasses the
 * owners. A test compares the list with the catalog.
 */
export const PATIENT_TABLES = [
  'patient',
  'patient_password',
  'patient_email',
  'patient_phone',
  'account_event',
  'email_change',
  'account_passkey',
  'passkey_route',
  'passkey_challenge',
  'account_session',
  'enrollment',
  'past_enrollment',
  'consent_record',
  'consent',
  'consent_record_patient',
  'consent_screenshot',
  'review_draft',
  'draft_screenshot',
  'oauth_request',
  'oauth_grant',
  'record_head',
  // After the row that is locked while an answer is kept.
  'kept_answer',
  'resource',
  'resource_label',
  'resource_version',
  'replaced_resource',
  'batch_resource',
  'resource_content',
  'content_statement',
  'resource_identifier',
  'open_reference',
  'clinical_entry',
  'entry_context',
  'record_holding',
  'passage',
  'passage_use',
  'source_sync',
  'taken_out_resource',
  'upload_batch',
  'upload_rejection',
  'conversion_time',
  'notice_settings',
  'notice',
  'read_count',
  'blob_chunk',
  'document',
  'batch_document',
  'stored_object',
  'batch_person',
] as const;

type PatientTable = (typeof PATIENT_TABLES)[number];

export const deletePatientFrom = (table: PatientTable, patientId: PatientId): Sql => ({
  text: `delete from ${table} where patient_id = $1`,
  values: [patientId],
});

/**
 * What is deleted after the patient, by and by: of many or of large rows. With the patient, and the head of the record that whoever
 * writes to it locks, nobody reads or adds to them any more. With each, the rows of one statement on the embedded engine, which does
 * nothing else meanwhile: all of a record of 25,000 resources took it 0.3 s.
 */
export const TABLES_OF_RECORDS: ReadonlyMap<PatientTable, number> = new Map([
  ['resource', 200],
  ['resource_label', 2000],
  ['resource_version', 200],
  ['replaced_resource', 200],
  ['batch_resource', 2000],
  ['resource_content', 2000],
  ['resource_identifier', 2000],
  ['open_reference', 2000],
  ['clinical_entry', 200],
  ['entry_context', 1000],
  ['passage', 500],
  ['passage_use', 2000],
  ['taken_out_resource', 2000],
  ['upload_rejection', 2000],
  ['blob_chunk', 8],
  ['document', 1000],
  ['batch_document', 2000],
]);

/** Deletes some of a patient's rows. A partition holds all of a patient's: `ctid` names one row of it. */
export const deleteSomeFrom = (table: PatientTable, patientId: PatientId, limit: number): Sql => ({
  text: `delete from ${table} where patient_id = $1 and ctid = any(array(
    select ctid from ${table} where patient_id = $1 limit $2)) returning 1`,
  values: [patientId, limit],
});
