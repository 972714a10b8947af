import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import {
  BRAND_COLUMNS,
  ORGANIZATION_NAME,
  type BrandRow,
} from '../../identity/organizations/organizations.sql.ts';
import { sql } from '../../platform/db/sql.ts';

/** A project with its current version, as the invitation shows it. */
export interface InvitingProjectRow extends BrandRow {
  project_id: ProjectId;
  organization_id: OrganizationId;
  organization_name: string;
  /** JSON. */
  organization_contact: string | null;
  name: string;
  purpose: string | null;
  study_snapshot_id: string | null;
  /** JSON each. */
  content: string | null;
  consent_types: string | null;
  enrolled: boolean;
  /** The person takes part, and has not come here before. */
  is_unopened: boolean;
}

const INVITING_PROJECT = sql`
  p.project_id, p.organization_id, ${ORGANIZATION_NAME} as organization_name, o.contact as organization_contact,
  ${BRAND_COLUMNS}, p.name, p.purpose, v.study_snapshot_id::text, v.content, v.consent_types`;

/** Selects a project as an invitation shows it; `patientId`: who is signed in, null for nobody. */
export const selectInvitingProject = (
  projectId: ProjectId,
  patientId: PatientId | null,
) => sql<InvitingProjectRow>`
  select ${INVITING_PROJECT},
    exists (select from enrollment e where e.patient_id = ${patientId} and e.project_id = ${projectId}) as enrolled,
    exists (select from enrollment e
      where e.patient_id = ${patientId} and e.project_id = ${projectId} and e.opened_at is null) as is_unopened
  from project p
  join organization o on o.organization_id = p.organization_id
  left join lateral (
    select study_snapshot_id, content, consent_types from project_version
    where project_id = ${projectId} order by version desc limit 1) v on true
  where p.project_id = ${projectId}`;

/** Selects the projects that a person takes part in and that ask for some consent. */
export const selectAskingProjects = (patientId: PatientId) => sql<InvitingProjectRow>`
  select ${INVITING_PROJECT}, true as enrolled, false as is_unopened
  from enrollment e
  join project p on p.project_id = e.project_id
  join organization o on o.organization_id = p.organization_id
  join lateral (
    select study_snapshot_id, content, consent_types from project_version w
    where w.project_id = p.project_id order by version desc limit 1) v on v.consent_types is not null
  where e.patient_id = ${patientId}
  order by e.created_at desc, p.project_id`;
