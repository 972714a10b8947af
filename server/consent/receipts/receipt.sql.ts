import type { ConsentRecordId, PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import { RECORD_COLUMNS, REPLACES_CONSENT, type StoredRecordRow } from '../records/consent-records.sql.ts';
import { ORGANIZATION_NAME } from '../../identity/organizations/organizations.sql.ts';

export interface ReceiptRow extends StoredRecordRow {
  organization_name: string;
  /** JSON: who answers for the organization where its project names nobody. */
  organization_contact: string | null;
  replaces_consent: boolean;
  project_name: string;
  project_purpose: string | null;
  /** JSON: the project's content in the version that the record names; null for a project without versions. */
  content: string | null;
  version: number | null;
  consent_types: string | null;
  /** Of the page; where it was not said, of the decision before on the same consent. */
  words_language: string | null;
  /** JSON: [{id, screen, sha256}], in the order in which the patient saw them. */
  screenshots: string;
}

/** Selects a record with what else its receipt says. */
export const selectRecordForReceipt = (
  patientId: PatientId,
  consentRecordId: ConsentRecordId,
) => sql<ReceiptRow>`
  select ${RECORD_COLUMNS}, ${ORGANIZATION_NAME} as organization_name,
    o.contact as organization_contact, ${REPLACES_CONSENT} as replaces_consent, pr.name as project_name, pr.purpose as project_purpose,
    v.version, v.content, v.consent_types,
    coalesce(r.language, (
      select b.language from consent_record b
      where b.patient_id = ${patientId} and b.project_id = r.project_id and b.consent_type = r.consent_type
        and b.language is not null and b.decided_at < r.decided_at
      order by b.decided_at desc limit 1)) as words_language,
    coalesce((
      select json_agg(json_build_object('id', s.screenshot_id, 'screen', s.screen, 'sha256', encode(s.sha256, 'hex'))
        order by s.ordinal)
      from consent_screenshot s
      where s.patient_id = ${patientId} and s.consent_record_id = ${consentRecordId}), '[]'::json) as screenshots
  from consent_record r
  join project pr on pr.project_id = r.project_id
  join organization o on o.organization_id = r.organization_id
  left join project_version v on v.project_id = r.project_id and v.study_snapshot_id::text = r.study_snapshot_id
  where r.patient_id = ${patientId} and r.consent_record_id = ${consentRecordId}`;

/** Selects where a person gets mails, and the language: of the page they used last, or else decided on, or of their enrollment. */
export const selectMailRecipient = (patientId: PatientId) => sql<{ email: string; language: string | null }>`
  select p.email, coalesce(p.page_language, (
      select r.language from consent_record r where r.patient_id = ${patientId} and r.language is not null
      order by r.decided_at desc limit 1), p.language) as language
  from patient p where p.patient_id = ${patientId} and p.test_organization_id is null`;
