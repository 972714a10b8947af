import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { ResourceScope, SensitivityScope } from '../../../contract/data-categories.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { REPLACES_CONSENT } from '../../consent/records/consent-records.sql.ts';
import { canRead, READS_UNTIL } from '../../consent/grants/can-read.sql.ts';
import { lastReadAt } from '../../platform/audit/entries.sql.ts';
import { sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { ORGANIZATION_NAME } from '../../identity/organizations/organizations.sql.ts';
import { CONSENT_TITLES } from '../../identity/organizations/consent-titles.sql.ts';

export interface MyConsentRow {
  consent_type: ConsentType;
  project_id: ProjectId;
  project_name: string;
  /** JSON: {en, es}. */
  titles: string;
  organization_name: string;
  consent_record_id: ConsentRecordId;
  consent_status: ConsentStatus;
  consent_ui_flow: string;
  replaces_consent: boolean;
  is_over: boolean;
  resource_scopes: ResourceScope[] | null;
  sensitivity_scopes: SensitivityScope[] | null;
  decided_at: Date;
  expires_at: Date;
  /** JSON; null: all of it ends together. */
  parts: string | null;
  /** The later of the node's and the store's time, which ends of parts are compared with. */
  latest_now: Date;
  /** JSON: [{client_id, client_name, created_at, connected, withheld, ends_at, last_read_at}]. */
  apps: string;
}

/**
 * The decision in force on each type of consent to each project that was ever given, active ones first and then the
 * newest, each with the clients that had a token under it. The last read of a client is found from the newest audit
 * entry backwards.
 */
export const selectMyConsents = (patientId: PatientId, now: Date) => sql<MyConsentRow>`
  select c.consent_type, c.project_id, pr.name as project_name, ${CONSENT_TITLES} as titles, ${ORGANIZATION_NAME} as organization_name, c.consent_record_id,
    c.consent_status, r.consent_ui_flow, ${REPLACES_CONSENT} as replaces_consent, c.expires_at <= ${latestNow(now)} as is_over,
    r.consent_data_resource_scopes as resource_scopes, r.consent_data_sensitivity_scopes as sensitivity_scopes,
    c.decided_at, c.expires_at, r.parts::text as parts, ${latestNow(now)} as latest_now,
    coalesce((
      select json_agg(app order by app.connected desc, app.created_at desc)
      from (
        select g.*, ${lastReadAt({
          organizationId: sql`pr.organization_id`,
          patientId: sql`${patientId}`,
          projectId: sql`c.project_id`,
          client: sql`g.client_id`,
        })} as last_read_at
        from (
          select client_id, (array_agg(client_name order by created_at desc))[1] as client_name,
            min(created_at) as created_at,
            coalesce(bool_or(can_read), false) and c.consent_status = 'OPTED_IN' and c.expires_at > ${latestNow(now)}
              as connected,
            bit_and(withheld) filter (where can_read) as withheld, max(reads_until) filter (where can_read) as ends_at
          from (
            select g.*, ${canRead(latestNow(now))} as can_read, ${READS_UNTIL} as reads_until from oauth_grant g) g
          where patient_id = ${patientId} and project_id = c.project_id and generation > 0
            and c.consent_type = 'PATIENT_DIRECTED_DATA_EXCHANGE'
          group by client_id) g) app), '[]'::json) as apps
  from consent c
  join consent_record r on r.patient_id = ${patientId} and r.consent_record_id = c.consent_record_id
  join project pr on pr.project_id = c.project_id
  join organization o on o.organization_id = pr.organization_id
  where c.patient_id = ${patientId} and (c.consent_status = 'OPTED_IN' or exists (
    select from consent_record y
    where y.patient_id = ${patientId} and y.project_id = c.project_id and y.consent_type = c.consent_type
      and y.consent_status = 'OPTED_IN'))
  order by c.consent_status = 'OPTED_IN' and c.expires_at > ${latestNow(now)} desc, c.decided_at desc, c.project_id, c.consent_type`;
