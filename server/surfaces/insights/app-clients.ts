import type { ClientAppId, OrganizationId } from '../../../contract/brands.ts';
import { findClientsOfApps } from '../../consent/grants/app-grants.sql.ts';
import type { Db } from '../../platform/db/db.ts';

/** Finds the clients that patients of the organization let in under an app. */
export async function findAppClients(
  db: Db,
  { organizationId, appId }: { organizationId: OrganizationId; appId: ClientAppId },
): Promise<string[]> {
  const rows = await db.query(findClientsOfApps(organizationId, [appId]));
  return rows.map(({ client_id: clientId }) => clientId);
}
