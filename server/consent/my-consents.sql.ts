import type { PatientId } from '../../contract/ids.ts';
import { sql } from '../storage/sql.ts';

export interface MyConsentRow {
  project_id: string;
  project_name: string;
  organization_name: string;
  decided_at: Date;
  expires_at: Date;
  /** JSON: [{client_id, client_name, created_at}]. */
  apps: string;
}

/** Consents in force, newest first, each with the clients that have a token under it. */
export const consentsInForce = (patientId: PatientId, now: Date) => sql<MyConsentRow>`
  select c.project_id, pr.name as project_name, o.name as organization_name, c.decided_at, c.expires_at,
    coalesce((
      select json_agg(app order by app.created_at desc)
      from (
        select g.client_id, max(g.client_name) as client_name, min(g.created_at) as created_at
        from oauth_grant g
        where g.patient_id = ${patientId} and g.project_id = c.project_id and g.revoked_at is null
          and g.expires_at > ${now} and g.generation > 0
        group by g.client_id) app), '[]'::json) as apps
  from consent c
  join project pr on pr.project_id = c.project_id
  join organization o on o.organization_id = pr.organization_id
  where c.patient_id = ${patientId} and c.consent_type = 'PATIENT_DIRECTED_DATA_EXCHANGE'
    and c.consent_status = 'OPTED_IN' and c.expires_at > ${now}
  order by c.decided_at desc, c.project_id`;
