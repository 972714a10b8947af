import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

export const insertOrganization = (organization: { id: OrganizationId; name: string; now: Date }) => sql<{
  organization_id: OrganizationId;
}>`
  insert into organization (organization_id, name, created_at)
  values (${organization.id}, ${organization.name}, ${organization.now})
  on conflict (name) do nothing
  returning organization_id`;

/** The name by which people know the organization `o`. */
export const ORGANIZATION_NAME: Sql = raw('coalesce(o.display_name, o.name)');

export interface OrganizationRow extends BrandRow {
  organization_id: OrganizationId;
  name: string;
  display_name: string | null;
  /** JSON. */
  contact: string | null;
  public_name: string | null;
  languages: ('en' | 'es')[] | null;
  /** A name of the IANA database; null: UTC. */
  time_zone: string | null;
  only_vouched_apps: boolean;
  no_new_registrations: boolean;
  /** null: every member. */
  fault_addresses: string[] | null;
}

export interface BrandRow {
  /** #rrggbb. */
  accent_color: string | null;
  mark_hash: string | null;
}

/** How people recognize the organization `o`. */
export const BRAND_COLUMNS: Sql = raw(`o.accent_color,
  (select m.hash from organization_mark m where m.organization_id = o.organization_id) as mark_hash`);

const ORGANIZATION_COLUMNS = sql`o.organization_id, o.name, o.display_name, o.contact, o.public_name, o.languages,
  o.time_zone, o.only_vouched_apps, o.no_new_registrations, o.fault_addresses, ${BRAND_COLUMNS}`;

export const findOrganization = (organizationId: OrganizationId) => sql<OrganizationRow>`
  select ${ORGANIZATION_COLUMNS} from organization o where o.organization_id = ${organizationId}`;

/** Selects the organization of this id; of null, the one that was created first. */
export const findOrganizationOrFirst = (organizationId: OrganizationId | null) => sql<{
  organization_id: OrganizationId;
}>`
  select organization_id from organization
  where ${organizationId}::uuid is null or organization_id = ${organizationId}::uuid
  order by created_at, organization_id limit 1`;

/** Selects an organization besides one; no row when there is none. */
export const findOtherOrganization = (organizationId: OrganizationId) => sql<{
  organization_id: OrganizationId;
}>`
  select organization_id from organization where organization_id <> ${organizationId} limit 1`;

/** Selects whether there are a project and an organization of these ids, where they are given, and no project at all. */
export const findNamed = (named: {
  projectId: ProjectId | null;
  organizationId: OrganizationId | null;
}) => sql<{
  has_project: boolean;
  has_organization: boolean;
  is_new: boolean;
}>`
  select ${named.projectId}::uuid is null or exists (select from project where project_id = ${named.projectId}) as has_project,
    ${named.organizationId}::uuid is null
      or exists (select from organization where organization_id = ${named.organizationId}) as has_organization,
    not exists (select from project) as is_new`;

export const findOrganizationOfProject = (projectId: ProjectId) => sql<OrganizationRow>`
  select ${ORGANIZATION_COLUMNS} from project p join organization o on o.organization_id = p.organization_id
  where p.project_id = ${projectId}`;

export const updateOrganization = (
  organizationId: OrganizationId,
  change: {
    displayName: string | null;
    contact: object | null;
    publicName: string | null;
    languages: string[];
    timeZone: string;
    onlyVouchedApps: boolean;
    noNewRegistrations: boolean;
    faultAddresses: string[] | null;
    accentColor: string | null;
  },
) => sql`
  update organization set display_name = ${change.displayName}, contact = ${change.contact && JSON.stringify(change.contact)},
    public_name = ${change.publicName}, languages = ${change.languages}, time_zone = ${change.timeZone},
    only_vouched_apps = ${change.onlyVouchedApps}, no_new_registrations = ${change.noNewRegistrations}, fault_addresses = ${change.faultAddresses}::text[],
    accent_color = ${change.accentColor}
  where organization_id = ${organizationId}`;

/** Selects the zone of the IANA database whose days an organization counts in. */
export const findTimeZone = (organizationId: OrganizationId) => sql<{ time_zone: string }>`
  select coalesce(time_zone, 'UTC') as time_zone from organization where organization_id = ${organizationId}`;

/** Selects the zone, where the store knows it; no row else. */
export const findKnownZone = (timeZone: string) => sql<{ name: string }>`
  select name from pg_timezone_names where name = ${timeZone} limit 1`;

/** Selects what the organization's owners are called, those who were first before. */
export const findOwnerNames = (organizationId: OrganizationId) => sql<{ name: string }>`
  select name from member where organization_id = ${organizationId} and role = 'owner' and removed_at is null
  order by created_at, member_id limit 20`;

/** Serializes the transactions that add something of which an organization has a limited number. */
export const lockOrganization = (organizationId: OrganizationId) => sql`
  select from organization where organization_id = ${organizationId} for no key update`;

/** Waits for a transaction that has locked the organization, and holds back the next; does not wait for others like it. */
export const shareOrganization = (organizationId: OrganizationId) => sql`
  select from organization where organization_id = ${organizationId} for share`;

/** Selects the organization that an operator calls by its name or its id; every one where nothing is said. */
export const findOrganizationsByNameOrId = (nameOrId: string | null) => sql<{
  organization_id: OrganizationId;
  name: string;
}>`
  select organization_id, name from organization
  where ${nameOrId}::text is null or name = ${nameOrId} or organization_id::text = lower(${nameOrId}) order by name`;
