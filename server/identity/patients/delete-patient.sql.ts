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

export const deletePatientFrom = (table: (typeof PATIENT_TABLES)[number], patientId: PatientId): Sql => ({
  text: `delete from ${table} where patient_id = $1`,
  values: [patientId],
});
