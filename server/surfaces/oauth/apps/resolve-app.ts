import { ClientAppId, type ClientReference, type OrganizationId } from '../../../../contract/brands.ts';
import { findAppsOfClient } from '../../../consent/grants/app-grants.sql.ts';
import type { Db } from '../../../platform/db/db.ts';
import { notFound, Refusal } from '../../../platform/kernel/refusal.ts';
import { findNamedApps } from './apps.sql.ts';

/**
 * Returns the app of the organization that a path names: by its own id, or by the `client_id` of a client that it knows. A client
 * that connected as several apps is the newest of them. Throws 409 where a block of that one would leave another of them connected.
 */
export async function resolveApp(
  db: Db,
  organizationId: OrganizationId,
  reference: ClientReference,
): Promise<ClientAppId> {
  const connected = await db.query(findAppsOfClient(organizationId, reference));
  const own = ClientAppId.safeParse(reference).data;
  const appIds = [...(own === undefined ? [] : [own]), ...connected.map(({ app_id: appId }) => appId)];
  const apps = await db.query(findNamedApps(organizationId, { appIds, documentUrl: reference }));
  const [first] = apps;
  if (!first) throw notFound('The app');
  if (first.app_id !== own && apps.some(({ block_target: target }) => target !== first.block_target))
    throw new Refusal(409, 'several_apps', {
      detail: `The client connected as several apps; name one of them by its id: ${apps.map(({ app_id: appId }) => appId).join(', ')}.`,
    });
  return first.app_id;
}
