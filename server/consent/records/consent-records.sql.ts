import type { OrganizationReach } from '../../../contract/audience.ts';
import type {
  ConsentRecordId,
  OrganizationId,
  PatientId,
  ProjectId,
  ScreenshotId,
} from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { ResourceScope, SensitivityScope } from '../../../contract/data-categories.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

/** A record as it is stored; `consent_stats` and `representative` are JSON. */
export interface StoredRecordRow {
  patient_id: PatientId;
  consent_record_id: ConsentRecordId;
  organization_id: OrganizationId;
  project_id: ProjectId;
  consent_type: ConsentType;
  consent_status: ConsentStatus;
  decided_at: Date;
  expires_at: Date;
  consent_stats: string;
  study_snapshot_id: string;
  consent_config_snapshot_id: string | null;
  consent_ui_flow: string;
  ui_hash: string;
  consent_data_resource_scopes: ResourceScope[] | null;
  consent_data_sensitivity_scopes: SensitivityScope[] | null;
  language: string | null;
  client_id: string | null;
  client_name: string | null;
  representative: string | null;
  /** What the client gets, where that is less than what the consent covers; the lists as above, the time null otherwise. */
  grant_resource_scopes: ResourceScope[] | null;
  grant_sensitivity_scopes: SensitivityScope[] | null;
  grant_expires_at: Date | null;
  /** JSON: what ends when, as `serializeParts` writes it; null: all of it ends together. */
  parts: string | null;
}

export const RECORD_COLUMNS = sql`
  r.patient_id, r.consent_record_id, r.organization_id, r.project_id, r.consent_type, r.consent_status, r.decided_at,
  r.expires_at, r.consent_stats, r.study_snapshot_id, r.consent_config_snapshot_id, r.consent_ui_flow, r.ui_hash,
  r.consent_data_resource_scopes, r.consent_data_sensitivity_scopes, r.language, r.client_id, r.client_name,
  r.representative, r.grant_resource_scopes, r.grant_sensitivity_scopes, r.grant_expires_at, r.parts::text as parts`;

/** Whether the record `r` changed or ended a consent in force. */
export const REPLACES_CONSENT = raw('coalesce(r.in_force_since < r.decided_at, false)');

export const selectConsentRecords = (
  patientId: PatientId,
  ids: readonly ConsentRecordId[],
) => sql<StoredRecordRow>`
  select ${RECORD_COLUMNS} from consent_record r
  where r.patient_id = ${patientId} and r.consent_record_id = any(${ids}::uuid[])`;

interface RecordFilter {
  patientId: PatientId;
  /** null: every organization. */
  reach: OrganizationReach | null;
}

/** A condition on a row `r` of `consent_record`. */
const isInReach = (reach: OrganizationReach | null): Sql =>
  reach === null
    ? raw('true')
    : sql`r.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('r.project_id'))}`;

export const countRecords = ({ patientId, reach }: RecordFilter) => sql<{ total: number }>`
  select count(*) as total from consent_record r where r.patient_id = ${patientId} and ${isInReach(reach)}`;

/** Selects a page of records, newest first, with the bytes of their screenshots; the database knows them without reading the images. */
export const selectRecordPage = (
  { patientId, reach }: RecordFilter,
  { limit, offset, since }: PageQuery & { since: Date | null },
) => sql<{ consent_record_id: ConsentRecordId; screenshot_bytes: number }>`
  select r.consent_record_id, coalesce((
    select sum(coalesce(s.size, octet_length(s.bytes))) from consent_screenshot s
    where s.patient_id = ${patientId} and s.consent_record_id = r.consent_record_id), 0) as screenshot_bytes
  from consent_record r
  where r.patient_id = ${patientId} and ${isInReach(reach)}
    and (${since}::timestamptz is null or r.decided_at > ${since})
  order by r.decided_at desc, r.consent_record_id desc
  limit ${limit} offset ${offset}`;

export interface ListedScreenshotRow {
  screenshot_id: ScreenshotId;
  content_type: string;
  screen: string;
  taken_at: Date;
}

export interface StoredScreenshotRow extends ListedScreenshotRow {
  consent_record_id: ConsentRecordId;
  sha256: Buffer;
  /** null: it is an object. */
  bytes: Buffer | null;
}

export const selectScreenshotsOfRecords = (
  patientId: PatientId,
  ids: readonly ConsentRecordId[],
) => sql<StoredScreenshotRow>`
  select consent_record_id, screenshot_id, content_type, screen, taken_at, sha256, bytes from consent_screenshot
  where patient_id = ${patientId} and consent_record_id = any(${ids}::uuid[])
  order by consent_record_id, ordinal`;

export const selectScreenshots = (
  patientId: PatientId,
  consentRecordId: ConsentRecordId,
) => sql<ListedScreenshotRow>`
  select screenshot_id, content_type, screen, taken_at from consent_screenshot
  where patient_id = ${patientId} and consent_record_id = ${consentRecordId} order by ordinal`;

export const selectScreenshot = (
  patientId: PatientId,
  consentRecordId: ConsentRecordId,
  screenshotId: ScreenshotId,
) => sql<StoredScreenshotRow>`
  select consent_record_id, screenshot_id, content_type, screen, taken_at, sha256, bytes from consent_screenshot
  where patient_id = ${patientId} and consent_record_id = ${consentRecordId} and screenshot_id = ${screenshotId}`;

export const selectPatientOfRecord = (consentRecordId: ConsentRecordId) => sql<{ patient_id: PatientId }>`
  select patient_id from consent_record_patient where consent_record_id = ${consentRecordId}`;

/** The ids of a patient's records, a page at a time. */
export const selectRecordIdsAfter = (patientId: PatientId, after: ConsentRecordId, limit: number) => sql<{
  consent_record_id: ConsentRecordId;
}>`
  select consent_record_id from consent_record where patient_id = ${patientId} and consent_record_id > ${after}
  order by consent_record_id limit ${limit}`;
