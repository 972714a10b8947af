import type { DataMask, PatientId, ProjectId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

export interface LastGrantRow {
  client_name: string | null;
  /** null: the grant is of before hosts were kept. */
  redirect_host: string | null;
  refreshable: boolean;
  withheld: DataMask;
  /** The client has fetched its tokens, and neither it nor the patient has ended them. */
  is_connected: boolean;
  /** What the patient decided on when the grant was given: the words, the page, until when the client gets what it gets. */
  study_snapshot_id: string;
  ui_hash: string;
  expires_at: Date;
  has_representative: boolean;
}

/** Selects the newest grant of a client, whatever became of it, with the decision that gave it. */
export const selectLastGrant = (client: {
  patientId: PatientId;
  projectId: ProjectId;
  clientId: string;
}) => sql<LastGrantRow>`
  select g.client_name, g.redirect_host, g.refreshable, g.withheld,
    g.revoked_at is null and g.generation > 0 as is_connected,
    r.study_snapshot_id, r.ui_hash, coalesce(r.grant_expires_at, r.expires_at) as expires_at,
    r.representative is not null as has_representative
  from oauth_grant g
  join consent_record r on r.patient_id = ${client.patientId} and r.consent_record_id = g.consent_record_id
  where g.patient_id = ${client.patientId} and g.project_id = ${client.projectId} and g.client_id = ${client.clientId}
  order by g.created_at desc, g.grant_id desc
  limit 1`;
