import { ClientAppId, type OrganizationId } from '../../../contract/brands.ts';
import type { Db } from '../../platform/db/db.ts';
import { findClientsOfApps } from './app-grants.sql.ts';

interface AskedClients {
  organizationId: OrganizationId;
  /** A client, or an app, which stands for all of its clients. */
  client?: string | undefined;
  appId?: ClientAppId | undefined;
}

/** Of which client entries are to be, in the place of what was asked: one is compared by itself, since its entries then come from an index in their order. */
export interface ClientFilter {
  client?: string | undefined;
  clients?: readonly string[] | undefined;
}

/** Finds the clients that a list is narrowed to: those of an app are all that patients of the organization let in under it. */
export async function findAskedClients(
  db: Db,
  { organizationId, client, appId }: AskedClients,
): Promise<ClientFilter> {
  const ofApp = appId && (await findAppClients(db, organizationId, appId));
  const named = client === undefined ? undefined : ClientAppId.safeParse(client).data;
  const ofNamed = named && (await findAppClients(db, organizationId, named));
  if (ofNamed === undefined || ofNamed.length === 0) return { client, clients: ofApp };
  return { client: undefined, clients: ofApp ? ofNamed.filter((each) => ofApp.includes(each)) : ofNamed };
}

async function findAppClients(db: Db, organizationId: OrganizationId, appId: ClientAppId): Promise<string[]> {
  const rows = await db.query(findClientsOfApps(organizationId, [appId]));
  return rows.map(({ client_id: clientId }) => clientId);
}
