import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { listApiKeys } from '../organizations/api-keys.ts';
import { findOrganizationsByNameOrId } from '../organizations/organizations.sql.ts';
import { findOldestProject, findProjectNames } from '../organizations/projects.sql.ts';
import { findMembers } from './members.sql.ts';

/** What an organization has of what it is created with: everything but the secrets. */
export interface DescribedOrganization {
  organizationId: OrganizationId;
  projectId: ProjectId | null;
  /** Null where no such key is in force. */
  admin: { apiKey: string } | null;
  researcher: { apiKey: string } | null;
  console: { email: string } | null;
}

const ALL = { limit: 1000, offset: 0 };

/**
 * Describes an organization by its name; null where there is none. Of projects it is the one of the given name, else the first;
 * of keys and owners the oldest.
 */
export async function describeOrganization(
  { db, clock }: { db: Db; clock: Clock },
  { name, project }: { name: string; project: string },
): Promise<DescribedOrganization | null> {
  const named = await db.query(findOrganizationsByNameOrId(name));
  const organizationId = named.find((row) => row.name === name)?.organization_id;
  if (organizationId === undefined) return null;
  const projects = await db.query(findProjectNames({ organizationId, projectIds: null }));
  const [oldest] = await db.query(findOldestProject(organizationId, null));
  const { results } = await listApiKeys(db, organizationId, { ...ALL, now: clock.now() });
  const members = await db.query(findMembers(organizationId, ALL));
  const findKey = (role: string): { apiKey: string } | null => {
    const key = results.findLast((each) => each.role === role && each.state === 'active');
    return key === undefined ? null : { apiKey: key.apiKey };
  };
  const owner = members.find(({ role }) => role === 'owner');
  return {
    organizationId,
    projectId: projects.find((row) => row.name === project)?.project_id ?? oldest?.project_id ?? null,
    admin: findKey('admin'),
    researcher: findKey('researcher'),
    console: owner === undefined ? null : { email: owner.email },
  };
}
