import type { OrganizationReach } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId, ProjectId, SourceId } from '../../../contract/brands.ts';
import type { Source } from '../../../contract/organization/sources.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import { isTestPatient, type ProjectScope } from '../../consent/access/consenting-patients.sql.ts';
import { overlapsProjects } from '../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

export interface SourceRow {
  organization_id: OrganizationId;
  source_id: SourceId;
  name: string;
  base_url: string;
  status: Source['status'];
  authentication: Source['authentication']['type'];
  client_id: string | null;
  token_endpoint: string | null;
  scope: string | null;
  bearer_secret: string | null;
  /** JSON. */
  matching: string;
  matching_revision: number;
  project_ids: ProjectId[] | null;
  serves_test_patients: boolean;
  created_at: Date;
  changed_at: Date;
}

/** Selects the name of a source by expressions of another query. */
export const selectSourceName = (organizationId: Sql, sourceId: Sql): Sql => sql`
  select s.name from record_source s where s.organization_id = ${organizationId} and s.source_id = ${sourceId}`;

/** The projects whose consents permit fetching from the source, and the kind of patients that it serves. */
export const toProjectScope = (
  row: Pick<SourceRow, 'organization_id' | 'project_ids' | 'serves_test_patients'>,
): ProjectScope => ({
  organizationId: row.organization_id,
  projectIds: row.project_ids,
  testPatients: row.serves_test_patients,
});

const columns = sql`organization_id, source_id, name, base_url, status, authentication, client_id, token_endpoint, scope,
  bearer_secret, matching, matching_revision, project_ids::text[], serves_test_patients, created_at, changed_at`;

export const insertSource = (row: SourceRow) => sql`
  insert into record_source (organization_id, source_id, name, base_url, status, authentication, client_id, token_endpoint,
    scope, bearer_secret, matching, matching_revision, project_ids, serves_test_patients, created_at, changed_at)
  values (${row.organization_id}, ${row.source_id}, ${row.name}, ${row.base_url}, ${row.status}, ${row.authentication},
    ${row.client_id}, ${row.token_endpoint}, ${row.scope}, ${row.bearer_secret}, ${row.matching}, ${row.matching_revision},
    ${row.project_ids}::uuid[], ${row.serves_test_patients}, ${row.created_at}, ${row.changed_at})`;

/** Updates all columns except the keys. */
export const updateSource = (row: SourceRow) => sql`
  update record_source set name = ${row.name}, status = ${row.status}, authentication = ${row.authentication},
    client_id = ${row.client_id}, token_endpoint = ${row.token_endpoint}, scope = ${row.scope},
    bearer_secret = ${row.bearer_secret}, matching = ${row.matching}, matching_revision = ${row.matching_revision},
    project_ids = ${row.project_ids}::uuid[], serves_test_patients = ${row.serves_test_patients}, changed_at = ${row.changed_at}
  where organization_id = ${row.organization_id} and source_id = ${row.source_id}`;

export const deleteSource = (organizationId: OrganizationId, sourceId: SourceId) => sql`
  delete from record_source where organization_id = ${organizationId} and source_id = ${sourceId}`;

export const selectSource = (reach: OrganizationReach, sourceId: SourceId) => sql<SourceRow>`
  select ${columns} from record_source where ${isInReach(reach)} and source_id = ${sourceId}`;

export const lockSource = (organizationId: OrganizationId, sourceId: SourceId) => sql<SourceRow>`
  select ${columns} from record_source where organization_id = ${organizationId} and source_id = ${sourceId} for update`;

/** Selects a source, which is then neither changed nor deleted until the transaction ends. */
export const holdSource = (organizationId: OrganizationId, sourceId: SourceId) => sql<SourceRow>`
  select ${columns} from record_source where organization_id = ${organizationId} and source_id = ${sourceId} for share`;

/** A condition on a row of `record_source`: it serves a project that the caller may see. */
const isInReach = (reach: OrganizationReach): Sql => sql`
  organization_id = ${reach.organizationId} and ${overlapsProjects(reach, raw('project_ids'))}`;

export const selectSources = (reach: OrganizationReach, { limit, offset }: PageQuery) => sql<SourceRow>`
  select ${columns} from record_source where ${isInReach(reach)}
  order by created_at, source_id limit ${limit} offset ${offset}`;

export const countSources = (reach: OrganizationReach) => sql<{ total: number }>`
  select count(*) as total from record_source where ${isInReach(reach)}`;

/** Counts the active sources by the projects that they serve; null: every project. */
export const countSourcesByProject = (reach: OrganizationReach) => sql<{
  project_id: ProjectId | null;
  count: number;
}>`
  select u.project_id, count(*) as count
  from record_source s left join lateral unnest(s.project_ids) as u(project_id) on true
  where ${isInReach(reach)} and s.status = 'active' group by 1`;

/** Selects the source with the name. */
export const selectSourceByName = (organizationId: OrganizationId, name: string) => sql<{
  source_id: SourceId;
}>`
  select source_id from record_source where organization_id = ${organizationId} and lower(name) = lower(${name})`;

/** Selects the active sources that the patient's consent to the project permits to fetch from. */
export const selectActiveSources = (patientId: PatientId, projectId: ProjectId) => sql<
  Pick<SourceRow, 'organization_id' | 'source_id' | 'name' | 'base_url'>
>`
  select s.organization_id, s.source_id, s.name, s.base_url
  from project p join record_source s on s.organization_id = p.organization_id
  where p.project_id = ${projectId} and s.status = 'active'
    and (s.project_ids is null or ${projectId} = any(s.project_ids)) and s.serves_test_patients = ${isTestPatient(sql`${patientId}::uuid`)}
  order by s.name`;

export interface SourceKeyRow {
  kid: string;
  alg: 'ES384' | 'RS384';
  /** JSON. */
  public_jwk: string;
  private_jwk: string;
}

export const insertKey = (sourceId: SourceId, key: SourceKeyRow, now: Date) => sql`
  insert into source_key (source_id, kid, alg, public_jwk, private_jwk, created_at)
  values (${sourceId}, ${key.kid}, ${key.alg}, ${key.public_jwk}, ${key.private_jwk}, ${now})`;

export const selectPublicKeys = (sourceId: SourceId) => sql<Pick<SourceKeyRow, 'public_jwk'>>`
  select public_jwk from source_key where source_id = ${sourceId} order by alg`;

export const selectPrivateKeys = (sourceId: SourceId) => sql<SourceKeyRow>`
  select kid, alg, public_jwk, private_jwk from source_key where source_id = ${sourceId}`;

/** Selects the bearer secrets of all sources as they are stored. */
export const findBearerSecrets = () => sql<{ source_id: SourceId; stored: string }>`
  select source_id, bearer_secret as stored from record_source where bearer_secret is not null`;

export const replaceBearerSecret = (stored: string, sealed: string) => sql`
  update record_source set bearer_secret = ${sealed} where bearer_secret = ${stored}`;

/** Selects the private keys of all sources as they are stored. */
export const findPrivateKeys = () => sql<{ kid: string; stored: string }>`
  select kid, private_jwk as stored from source_key`;

export const replacePrivateKey = (stored: string, sealed: string) => sql`
  update source_key set private_jwk = ${sealed} where private_jwk = ${stored}`;

export const deleteKeys = (sourceId: SourceId) => sql`delete from source_key where source_id = ${sourceId}`;
