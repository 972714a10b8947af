import type { ConsentStatus, ConsentType } from '../../../contract/account/consent.ts';
import type { OrganizationReach } from '../../../contract/audience.ts';
import type { ResourceScope, SensitivityScope } from '../../../contract/data-categories.ts';
import type { ConsentRecordId, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { permitsReading } from '../access/permits-reading.sql.ts';

export interface SummaryRow {
  patient_id: PatientId;
  /** JSON: [{consent_type, project_id, consent_status, consent_record_id, decided_at, expires_at, is_in_force}]. */
  consents: string;
}

const aggregateConsents = (decisions: Sql): Sql => sql`
  coalesce((select json_agg(decision order by project_id, consent_type) from (${decisions}) decision), '[]'::json)`;

const DECISION_COLUMNS = sql`c.consent_type, c.project_id, c.consent_status, c.consent_record_id, c.decided_at, c.expires_at`;

const isInForce = (now: Date): Sql => sql`c.consent_status = 'OPTED_IN' and c.expires_at > ${latestNow(now)}`;

/** Selects the newest decision of each project of the organization and each type. */
export const selectPatientSummary = (
  patientId: PatientId,
  reach: OrganizationReach,
  now: Date,
) => sql<SummaryRow>`
  select ${patientId}::uuid as patient_id, ${aggregateConsents(sql`
    select ${DECISION_COLUMNS}, ${isInForce(now)} as is_in_force from consent c join project pr on pr.project_id = c.project_id
    where c.patient_id = ${patientId} and pr.organization_id = ${reach.organizationId}
      and ${isWithinProjects(reach, raw('pr.project_id'))}`)} as consents`;

/** Selects the newest decisions of a patient on the projects that a caller may see, with the names of these. */
export const selectPatientDecisions = (patientId: PatientId, reach: OrganizationReach, now: Date) => sql<{
  project_id: ProjectId;
  project_name: string;
  consent_type: ConsentType;
  consent_status: ConsentStatus;
  consent_record_id: ConsentRecordId;
  decided_at: Date;
  expires_at: Date;
  is_in_force: boolean;
  /** The later of the node's and the store's time, which ends of parts are compared with. */
  latest_now: Date;
  resource_scopes: ResourceScope[] | null;
  sensitivity_scopes: SensitivityScope[] | null;
  /** JSON; null: all of it ends together. */
  parts: string | null;
}>`
  select ${DECISION_COLUMNS}, pr.name as project_name,
    r.consent_data_resource_scopes as resource_scopes, r.consent_data_sensitivity_scopes as sensitivity_scopes, r.parts::text as parts,
    ${isInForce(now)} as is_in_force, ${latestNow(now)} as latest_now
  from consent c join project pr on pr.project_id = c.project_id
  join consent_record r on r.patient_id = ${patientId} and r.consent_record_id = c.consent_record_id
  where c.patient_id = ${patientId} and pr.organization_id = ${reach.organizationId}
    and ${isWithinProjects(reach, raw('pr.project_id'))}
  order by c.decided_at desc, c.project_id, c.consent_type`;

/** The enrolled patients of a project, and those who decided and have deleted their account since. */
const selectParticipants = (organizationId: OrganizationId, projectId: ProjectId): Sql => sql`
  select patient_id from enrollment where organization_id = ${organizationId} and project_id = ${projectId}
  union
  select c.patient_id from consent c join project pr using (project_id)
  where c.project_id = ${projectId} and pr.organization_id = ${organizationId}`;

/** Selects the newest decisions of all participants, in the order of their ids; an empty list for those without any. */
export const selectProjectSummaries = (
  organizationId: OrganizationId,
  projectId: ProjectId,
  { limit, offset, now }: PageQuery & { now: Date },
) => sql<SummaryRow>`
  select page.patient_id, ${aggregateConsents(sql`
    select ${DECISION_COLUMNS}, ${isInForce(now)} as is_in_force from consent c where c.patient_id = page.patient_id and c.project_id = ${projectId}`)} as consents
  from (${selectParticipants(organizationId, projectId)} order by patient_id limit ${limit} offset ${offset}) page
  order by page.patient_id`;

export const countParticipants = (organizationId: OrganizationId, projectId: ProjectId) =>
  sql<{
    total: number;
  }>`select count(*) as total from (${selectParticipants(organizationId, projectId)}) participants`;

/** Selects what each consent in force by which somebody reads covers of the record; there is one of each type. */
export const selectScopesInForce = (patientId: PatientId, projectId: ProjectId, now: Date) => sql<{
  consent_record_id: ConsentRecordId;
  resource_scopes: ResourceScope[] | null;
  sensitivity_scopes: SensitivityScope[] | null;
  expires_at: Date;
  /** JSON; null: all of it ends together. */
  parts: string | null;
  /** The later of the node's and the store's time, which ends of parts are compared with. */
  latest_now: Date;
}>`
  select c.consent_record_id, r.consent_data_resource_scopes as resource_scopes,
    r.consent_data_sensitivity_scopes as sensitivity_scopes, c.expires_at, r.parts::text as parts, ${latestNow(now)} as latest_now
  from consent c
  join consent_record r on r.patient_id = ${patientId} and r.consent_record_id = c.consent_record_id
  where c.patient_id = ${patientId} and c.project_id = ${projectId} and ${permitsReading(now)}
  order by c.consent_type`;

export const selectStudy = (studyId: ProjectId) => sql<{ organization_id: OrganizationId }>`
  select organization_id from project where project_id = ${studyId}`;
