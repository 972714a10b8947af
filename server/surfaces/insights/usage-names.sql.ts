import type { OrganizationId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

interface NameRow {
  key: string;
  name: string;
}

export const findProjectNames = (organizationId: OrganizationId) => sql<NameRow>`
  select project_id::text as key, name from project where organization_id = ${organizationId}`;

/** Finds how registered clients call themselves. */
export const findClientNames = (clientIds: readonly string[]) => sql<NameRow>`
  select client_id::text as key, client_name as name from oauth_client
  where client_id = any(${clientIds}::uuid[]) and client_name is not null`;
