import type { PatientId } from '../../../contract/brands.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/**
 * Codes of notes about what the record holds as it came, or in a newer version, and about what is no part of any record: nothing
 * of it was left out.
 */
export const MERE_NOTES: readonly string[] = [
  'older_version',
  'older_fhir_version',
  'newer_fhir_version',
  'id_in_use',
  'labels_of_bundle',
  'own_archive',
  'server_message',
  'deletion_not_applied',
  'taken_out',
];

/**
 * Of these nothing is lost: another version of the same resource was kept, or the words of a narrative; a date is shown as it
 * was written; a list, a file or an archive holds nothing.
 */
export const LOSSLESS_REJECTIONS: readonly string[] = [
  ...MERE_NOTES,
  'duplicate_id',
  'unsafe_narrative',
  'dates_not_read',
  'empty_list',
  'empty',
];

/**
 * A condition on an upload `b` of a patient: that a part of it was not read. Of those from before this was counted the first
 * such place says so.
 */
export const isReadInPart = (patientId: PatientId | Sql) => sql`
  (b.status = 'completed_with_errors' and case when b.unread_places is null
    then exists (
      select from upload_rejection r
      where r.patient_id = ${patientId} and r.batch_id = b.batch_id and r.code <> all (${LOSSLESS_REJECTIONS}::text[]))
    else b.unread_places > 0 end)`;
