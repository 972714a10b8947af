import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import { one, type Queryable } from '../../platform/db/db.ts';
import { findNamed } from './organizations.sql.ts';

/** The settings that name what is in the store. */
export interface NamedIds {
  oauth: { projectId: ProjectId | null };
  oidc: { organizationId: string | null } | null;
}

export interface DanglingIds {
  /** Settings that name a project, or an organization, which the store has not. */
  settings: string[];
  /** The store has no project at all: what is named may come with the first. */
  isNew: boolean;
}

export async function findDanglingIds(on: Queryable, { oauth, oidc }: NamedIds): Promise<DanglingIds> {
  const organizationId = (oidc?.organizationId ?? null) as OrganizationId | null;
  const named = await one(on, findNamed({ projectId: oauth.projectId, organizationId }));
  return {
    settings: [
      ...(named.has_project ? [] : ['CHARTGATE_OAUTH_PROJECT_ID']),
      ...(named.has_organization ? [] : ['CHARTGATE_OIDC_ORGANIZATION_ID']),
    ],
    isNew: named.is_new,
  };
}
