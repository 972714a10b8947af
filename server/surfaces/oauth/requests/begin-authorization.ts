import { randomBytes } from 'node:crypto';
import type { AuthorizationRequestId, ProjectId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { hashSecret } from '../../../platform/kernel/secret.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import {
  fitsAnswer,
  validateAuthorizationRequest,
  parseParameters,
  type AuthorizationRequest,
} from './authorization-request.ts';
import type { Client } from '../clients/client-metadata.ts';
import { invalidRequest, invalidTarget, OAUTH_ERRORS, unknownClient } from '../oauth-refusal.ts';
import { describeRedirectUri, matchesRedirectUri, buildClientRedirect } from '../clients/redirect-uri.ts';
import { identifyApp } from '../apps/app-identity.ts';
import { requireAdmission } from '../apps/require-allowed-app.ts';
import { resolveResource } from '../resources.ts';
import { beginRequest, selectAdmission, type NewRequest } from './requests.sql.ts';

export interface BeginDeps {
  db: Db;
  clock: Clock;
  /** The project of `/mcp`; null: the first. */
  defaultProjectId: ProjectId | null;
  findClient(clientId: string, address: string): Promise<Client | null>;
  markClientUsed(clientId: string): Promise<void>;
}

interface AuthorizeInput {
  query: Readonly<Record<string, unknown>>;
  /** The secret cookie of the browser. */
  browser: string;
  address: string;
  /** Our base URL and the consent page, under the name that the browser called. */
  baseUrl: string;
  consentAppUrl: string;
}

/** How long a patient has to decide. */
export const REQUEST_LIFETIME_MS = 3600 * 1000;

/**
 * RFC 6749 §4.1.1. Returns the URL to redirect the browser to: the consent page, or the client with an error. Throws until
 * the redirect URI is known to be the client's, so that the browser is not redirected anywhere else.
 */
export async function beginAuthorization(
  deps: BeginDeps,
  { query, browser, address, baseUrl, consentAppUrl }: AuthorizeInput,
): Promise<string> {
  const parameters = parseParameters(query);
  const clientId = parameters.get('client_id');
  if (clientId === undefined) throw invalidRequest('client_id is missing.');
  const client = await deps.findClient(clientId, address);
  if (!client) throw unknownClient();
  const redirectUri = parameters.get('redirect_uri');
  if (redirectUri === undefined || !matchesRedirectUri(client.redirectUris, redirectUri)) {
    throw invalidRequest('redirect_uri is missing or not registered by this client.');
  }
  const state = parameters.get('state');
  try {
    const context = { client, resources: query['resource'], baseUrl };
    const authorization = validateAuthorizationRequest(parameters, context);
    return await storeRequest(deps, { client, redirectUri, authorization, browser, consentAppUrl });
  } catch (error) {
    if (!(error instanceof Refusal) || !OAUTH_ERRORS.has(error.code)) throw error;
    await requireAdmittedClient(deps, client, { redirectUri, resources: query['resource'], baseUrl });
    return buildClientRedirect(redirectUri, {
      error: error.code,
      error_description: error.message,
      ...(state !== undefined && fitsAnswer(state) && { state }),
      iss: baseUrl,
    });
  }
}

/**
 * Throws where the organization does not let in the app of a faulty request, which is not redirected to either: that of the project
 * that the request names, where there is one, else of the default project. A good request is asked about as it begins.
 */
async function requireAdmittedClient(
  { db, clock, defaultProjectId }: BeginDeps,
  client: Client,
  { redirectUri, resources, baseUrl }: { redirectUri: string; resources: unknown; baseUrl: string },
): Promise<void> {
  const app = identifyApp({ ...client, redirectUri });
  const asking = { client_id: client.clientId, client_host: client.host, created_at: clock.now() };
  const named = [resources].flat().filter((each) => typeof each === 'string');
  const projectIds = named.map((each) => resolveResource(baseUrl, each)?.projectId ?? null);
  for (const projectId of [projectIds.find((each) => each !== null) ?? null, null]) {
    const requested = { projectId: projectId ?? defaultProjectId, app };
    const admission = await maybeOne(db, selectAdmission(asking, requested));
    if (admission) return requireAdmission({ refusal: admission.refusal, isKnown: admission.known });
  }
}

interface AcceptedRequest {
  client: Client;
  redirectUri: string;
  authorization: AuthorizationRequest;
  browser: string;
  consentAppUrl: string;
}

async function storeRequest(deps: BeginDeps, accepted: AcceptedRequest): Promise<string> {
  const { client, redirectUri, authorization, browser, consentAppUrl } = accepted;
  const requestId = randomBytes(24).toString('base64url') as AuthorizationRequestId;
  const now = deps.clock.now();
  const request: NewRequest = {
    request_id: requestId,
    client_id: client.clientId,
    client_name: client.name,
    client_host: client.host,
    client_about: client.about && JSON.stringify(client.about),
    redirect_uri: redirectUri,
    scope: authorization.scope,
    state: authorization.state,
    code_challenge: authorization.codeChallenge,
    resource: authorization.resource.uri,
    refreshable: authorization.refreshable,
    browser_hash: hashSecret(browser),
    created_at: now,
    expires_at: new Date(now.getTime() + REQUEST_LIFETIME_MS),
  };
  const projectId = authorization.resource.projectId ?? deps.defaultProjectId;
  const app = identifyApp({ ...client, redirectUri });
  const project = await maybeOne(deps.db, beginRequest(request, { projectId, app }));
  if (!project) throw invalidTarget();
  // Not redirected back either: who is not let in learns nothing.
  requireAdmission({ refusal: project.refusal, isKnown: project.begun });
  await deps.markClientUsed(client.clientId);
  // Only the id matters; the page loads everything that it shows from the service.
  const statePayload = {
    id: requestId,
    client_name: client.name,
    ...describeRedirectUri(redirectUri),
    scope: authorization.scope,
  };
  const oauthState = Buffer.from(JSON.stringify(statePayload)).toString('base64url');
  return `${consentAppUrl}/#/patient-consent/${project.project_id}/enrollment/link?oauth_state=${oauthState}`;
}
