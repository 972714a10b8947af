import { identifyApp, type AppIdentity } from '../apps/app-identity.ts';
import type { RequestRow } from './requests.sql.ts';

/** Returns the app of a request: a client may have changed its document since the request began, the request has not. */
export const identifyRequestingApp = (request: RequestRow): AppIdentity =>
  identifyApp({
    clientId: request.client_id,
    name: request.client_name,
    host: request.client_host,
    redirectUri: request.redirect_uri,
  });
