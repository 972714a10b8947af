import type { ClientAppId } from '../../../../contract/brands.ts';
import { shareOrganization } from '../../../identity/organizations/organizations.sql.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { identifyApp, type AppIdentity } from '../apps/app-identity.ts';
import { keepApp, toAppRow } from '../apps/apps.sql.ts';
import { requireAllowedApp } from '../apps/require-allowed-app.ts';
import type { RequestRow } from './requests.sql.ts';

/** Returns the app of a request: a client may have changed its document since the request began, the request has not. */
export const identifyRequestingApp = (request: RequestRow): AppIdentity =>
  identifyApp({
    clientId: request.client_id,
    name: request.client_name,
    host: request.client_host,
    redirectUri: request.redirect_uri,
  });

/**
 * Lets the app of a request in, in the transaction of the decision, or throws. A block waits for this transaction and then
 * ends what it granted, or it is here before and this waits for it; so the lock comes before every other one.
 */
export async function admitApp(tx: Tx, request: RequestRow, now: Date): Promise<ClientAppId> {
  const { organization_id: organizationId, project_id: projectId, client_about: about } = request;
  const app = identifyRequestingApp(request);
  await Promise.all([
    tx.query(shareOrganization(organizationId)),
    requireAllowedApp(tx, app, { projectId, now }),
    tx.query(keepApp(toAppRow(app, { organizationId, about, now }))),
  ]);
  return app.appId;
}
