import { randomBytes } from 'node:crypto';
import type { AuthorizationRequestId, ProjectId } from '../../../contract/ids.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { hashSecret } from '../../kernel/secret.ts';
import { maybeOne, type Db } from '../../storage/db.ts';
import { checkAuthorizationRequest, singleParameters, type Asked } from './authorization-request.ts';
import type { Client } from '../clients/client.ts';
import { invalidRequest, invalidTarget, OAUTH_ERRORS } from '../oauth-refusal.ts';
import { describeRedirectUri, matchesRedirectUri } from '../clients/redirect-uri.ts';
import { backToClient } from './redirect.ts';
import { insertRequest, type NewRequest } from './requests.sql.ts';

export interface BeginDeps {
  db: Db;
  clock: Clock;
  baseUrl: string;
  consentAppUrl: string;
  /** The project of `/mcp`; null: the first. */
  defaultProjectId: ProjectId | null;
  findClient(clientId: string, address: string): Promise<Client | null>;
  clientUsed(clientId: string): Promise<void>;
}

interface Visit {
  query: Readonly<Record<string, unknown>>;
  /** The secret cookie of the browser. */
  browser: string;
  address: string;
}

/** How long a patient has to decide. */
export const REQUEST_MS = 3600 * 1000;

/**
 * RFC 6749 §4.1.1. Where the browser is to go: the consent page, or back to the client with an error. Throws as long
 * as it is not certain that the redirect URI is the client's: then nobody is led anywhere.
 */
export async function beginAuthorization(
  deps: BeginDeps,
  { query, browser, address }: Visit,
): Promise<string> {
  const parameters = singleParameters(query);
  const clientId = parameters.get('client_id');
  if (clientId === undefined) throw invalidRequest('client_id is missing.');
  const client = await deps.findClient(clientId, address);
  if (!client) throw new Refusal(400, 'invalid_client', { detail: 'There is no such client.' });
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined || !matchesRedirectUri(client.redirectUris, redirectUri)) {
    throw invalidRequest('redirect_uri is missing, or not one that this client registered.');
  }
  const state = parameters.get('state');
  try {
    const about = { client, resources: query['resource'], baseUrl: deps.baseUrl };
    const asked = checkAuthorizationRequest(parameters, about);
    return await storeRequest(deps, { client, redirectUri, asked, browser });
  } catch (error) {
    if (!(error instanceof Refusal) || !OAUTH_ERRORS.has(error.code)) throw error;
    return backToClient(redirectUri, {
      error: error.code,
      error_description: error.message,
      ...(state !== undefined && state.length <= 4096 && { state }),
      iss: deps.baseUrl,
    });
  }
}

interface Accepted {
  client: Client;
  redirectUri: string;
  asked: Asked;
  browser: string;
}

async function storeRequest(deps: BeginDeps, accepted: Accepted): Promise<string> {
  const { client, redirectUri, asked, browser } = accepted;
  const requestId = randomBytes(24).toString('base64url') as AuthorizationRequestId;
  const now = deps.clock.now();
  const request: NewRequest = {
    request_id: requestId,
    client_id: client.clientId,
    client_name: client.name,
    client_host: client.host,
    redirect_uri: redirectUri,
    scope: asked.scope,
    state: asked.state,
    code_challenge: asked.codeChallenge,
    resource: asked.resource.uri,
    project_id: asked.resource.projectId ?? deps.defaultProjectId,
    refreshable: asked.refreshable,
    browser_hash: hashSecret(browser),
    created_at: now,
    expires_at: new Date(now.getTime() + REQUEST_MS),
  };
  const [project] = await Promise.all([
    maybeOne(deps.db, insertRequest(request)),
    deps.clientUsed(client.clientId),
  ]);
  if (!project) throw invalidTarget();
  // Only the id counts; the page asks the service for everything it shows.
  const shown = {
    id: requestId,
    client_name: client.name,
    ...describeRedirectUri(redirectUri),
    scope: asked.scope,
  };
  const oauthState = Buffer.from(JSON.stringify(shown)).toString('base64url');
  return `${deps.consentAppUrl}/#/patient-consent/${project.project_id}/enrollment/link?oauth_state=${oauthState}`;
}
