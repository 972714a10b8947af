import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { ResourceScope, SensitivityScope } from '../../../contract/data-categories.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { REPLACES_CONSENT } from '../../consent/records/consent-records.sql.ts';
import { sql } from '../../platform/db/sql.ts';
import { ORGANIZATION_NAME } from '../../identity/organizations/organizations.sql.ts';
import { CONSENT_TITLES } from '../../identity/organizations/consent-titles.sql.ts';

export interface MyReceiptRow {
  consent_record_id: ConsentRecordId;
  decided_at: Date;
  consent_type: ConsentType;
  consent_status: ConsentStatus;
  consent_ui_flow: string;
  replaces_consent: boolean;
  expires_at: Date;
  /** Until when the app may read; null: until the consent ends, or no app asked. */
  grant_expires_at: Date | null;
  resource_scopes: ResourceScope[] | null;
  sensitivity_scopes: SensitivityScope[] | null;
  organization_name: string;
  project_id: ProjectId;
  project_name: string;
  /** JSON: {en, es}. */
  titles: string;
  client_name: string | null;
  screenshots: number;
}

/** Every decision, newest first. The limit is far above what a person decides. */
export const selectMyReceipts = (patientId: PatientId) => sql<MyReceiptRow>`
  select r.consent_record_id, r.decided_at, r.consent_type, r.consent_status, r.consent_ui_flow, r.expires_at, r.grant_expires_at,
    ${REPLACES_CONSENT} as replaces_consent,
    r.consent_data_resource_scopes as resource_scopes, r.consent_data_sensitivity_scopes as sensitivity_scopes,
    ${ORGANIZATION_NAME} as organization_name, r.project_id, pr.name as project_name, ${CONSENT_TITLES} as titles, r.client_name,
    (select count(*) from consent_screenshot s
      where s.patient_id = ${patientId} and s.consent_record_id = r.consent_record_id) as screenshots
  from consent_record r
  join project pr on pr.project_id = r.project_id
  join organization o on o.organization_id = r.organization_id
  where r.patient_id = ${patientId}
  order by r.decided_at desc, r.consent_record_id desc limit 1000`;
