import type { ConsentRecordId, PatientId, ScreenshotId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import type { KeptPicture } from './pictures.ts';

/** The key of a picture of a decision. */
export interface PictureKey {
  patient_id: PatientId;
  consent_record_id: ConsentRecordId;
  screenshot_id: ScreenshotId;
}

/** Pictures of decisions of every patient that are, or are not, in their rows, a page at a time. */
export const selectPicturesAfter = (after: PictureKey, isInRow: boolean, limit: number) => sql<
  PictureKey & KeptPicture
>`
  select patient_id, consent_record_id, screenshot_id, sha256, bytes from consent_screenshot
  where (patient_id, consent_record_id, screenshot_id) > (${after.patient_id}::uuid, ${after.consent_record_id}::uuid,
      ${after.screenshot_id}::uuid)
    and (bytes is not null) = ${isInRow}
  order by patient_id, consent_record_id, screenshot_id limit ${limit}`;

/** Takes a picture out of its row, or puts it there. Returns no row where it is gone. */
export const updatePicture = (key: PictureKey, bytes: Buffer | null, size: number | null) => sql<{
  screenshot_id: ScreenshotId;
}>`
  update consent_screenshot set bytes = ${bytes}, size = ${size}
  where patient_id = ${key.patient_id} and consent_record_id = ${key.consent_record_id}
    and screenshot_id = ${key.screenshot_id}
  returning screenshot_id`;

/** Whether a picture that is an object has rows. */
export const selectObjectUses = (patientId: PatientId, sha256: Buffer) => sql<{ used: boolean }>`
  select exists (select from consent_screenshot where patient_id = ${patientId} and sha256 = ${sha256} and bytes is null)
    or exists (select from draft_screenshot where patient_id = ${patientId} and sha256 = ${sha256} and bytes is null) as used`;
