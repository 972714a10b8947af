import type { ConsentType } from '../../../contract/account/consent.ts';
import type { ResourceScope, SensitivityScope } from '../../../contract/data-categories.ts';
import type { ConsentRecordId, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

export interface ExpiredConsentRow {
  patient_id: PatientId;
  organization_id: OrganizationId;
  project_id: ProjectId;
  consent_type: ConsentType;
  consent_record_id: ConsentRecordId;
  expires_at: Date;
  resource_scopes: ResourceScope[] | null;
  sensitivity_scopes: SensitivityScope[] | null;
}

/** One step on the index: what is looked for all the time and mostly is not there. */
export const hasExpiredConsents = (now: Date) => sql`
  select from consent where consent_status = 'OPTED_IN' and not expiry_emitted and expires_at <= ${now} limit 1`;

/**
 * Takes consents whose end has come, each once, whoever else looks; one that is just being decided anew is left to that
 * decision, which tells.
 */
export const claimExpiredConsents = (now: Date, limit: number) => sql<ExpiredConsentRow>`
  with due as (
    select patient_id, project_id, consent_type from consent
    where consent_status = 'OPTED_IN' and not expiry_emitted and expires_at <= ${now}
    order by expires_at limit ${limit}
    for update skip locked)
  update consent c set expiry_emitted = true
  from due, consent_record r
  where c.patient_id = due.patient_id and c.project_id = due.project_id and c.consent_type = due.consent_type
    and r.patient_id = c.patient_id and r.consent_record_id = c.consent_record_id
  returning c.patient_id, r.organization_id, c.project_id, c.consent_type, c.consent_record_id, c.expires_at,
    r.consent_data_resource_scopes as resource_scopes, r.consent_data_sensitivity_scopes as sensitivity_scopes`;
