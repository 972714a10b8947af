import { SCOPES } from '../../../../contract/oauth/oauth.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { isOnlineOnly, type Client } from '../clients/client-metadata.ts';
import { invalidRequest, invalidScope, invalidTarget } from '../oauth-refusal.ts';
import { buildDefaultResource, resolveResource, type Resource } from '../resources.ts';

/** Parameters of a request: one value each, none that is empty (RFC 6749 §3.1). */
export type Parameters = ReadonlyMap<string, string>;

const SINGLE_PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'response_mode',
  'request',
  'request_uri',
] as const;

/** A longer one would not fit into the URL of every client. */
const MAX_STATE_LENGTH = 4096;

/**
 * As the answer encodes it, in which a letter beyond ASCII has 6 to 12 characters: with a redirect URI and the other headers it
 * stays below the 16 KiB of headers that Node and others take.
 */
const MAX_ENCODED_STATE_LENGTH = 3 * MAX_STATE_LENGTH;

/** True for a state that the answer can return. */
export const fitsAnswer = (state: string): boolean =>
  state.length <= MAX_STATE_LENGTH && encodeForm(state).length <= MAX_ENCODED_STATE_LENGTH;

const encodeForm = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

/** Parses the query; a repeated parameter (RFC 6749 §3.1) is refused without a redirect. */
export function parseParameters(query: Readonly<Record<string, unknown>>): Parameters {
  const repeated = SINGLE_PARAMETERS.find((name) => Array.isArray(query[name]));
  if (repeated !== undefined) throw invalidRequest(`${repeated} must occur once.`);
  if (Object.values(query).some((value) => typeof value === 'string' && value.includes('\0')))
    throw invalidRequest('No parameter may contain the character U+0000.');
  const single = Object.entries(query).filter(([, value]) => typeof value === 'string' && value !== '');
  return new Map(single as [string, string][]);
}

/** A request whose parameters are valid, from a known client with a registered redirect URI. */
export interface AuthorizationRequest {
  state: string;
  scope: string;
  codeChallenge: string;
  resource: Resource;
  refreshable: boolean;
}

/** Validates everything whose errors the browser carries back to the client (RFC 6749 §4.1.2.1). */
export function validateAuthorizationRequest(
  parameters: Parameters,
  { client, resources, baseUrl }: { client: Client; resources: unknown; baseUrl: string },
): AuthorizationRequest {
  refuseRequestObjects(parameters);
  const type = requireParameter(parameters, 'response_type');
  if (type !== 'code') {
    throw new Refusal(400, 'unsupported_response_type', { detail: 'response_type must be code.' });
  }
  const mode = parameters.get('response_mode') ?? 'query';
  if (mode !== 'query') throw invalidRequest('response_mode must be query.');
  const state = requireParameter(parameters, 'state');
  if (!fitsAnswer(state))
    throw invalidRequest(
      `state must have at most ${MAX_STATE_LENGTH} characters, and at most ${MAX_ENCODED_STATE_LENGTH} in its percent-encoded form.`,
    );
  const codeChallenge = requireParameter(parameters, 'code_challenge');
  if (requireParameter(parameters, 'code_challenge_method') !== 'S256')
    throw invalidRequest('code_challenge_method must be S256.');
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge))
    throw invalidRequest('code_challenge must be 43 characters of base64url: the SHA-256 of the verifier.');
  const scopes = filterScopes(requireParameter(parameters, 'scope'), client);
  const resource = findRequestedResource(baseUrl, resources);
  if (!resource) throw invalidTarget();
  const refreshable =
    scopes.includes('offline_access') || client.grantTypes?.includes('refresh_token') === true;
  return { state, scope: scopes.join(' '), codeChallenge, resource, refreshable };
}

/** The default resource for a request that names none (RFC 8707 §2); null for an unknown one. Throws for several, which a token of ours cannot be for. */
function findRequestedResource(baseUrl: string, requested: unknown): Resource | null {
  if (requested === undefined || requested === '') return buildDefaultResource(baseUrl);
  if (typeof requested !== 'string') throw invalidTarget('resource must be given once.');
  return resolveResource(baseUrl, requested);
}

function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw invalidRequest(`${name} is missing.`);
  return value;
}

/** Refuses request objects (OpenID Connect Core §6), which are never fetched or read. */
function refuseRequestObjects(parameters: Parameters): void {
  if (parameters.has('request') || parameters.has('request_uri')) {
    throw new Refusal(400, 'request_not_supported', { detail: 'Request objects are not supported.' });
  }
}

/**
 * Returns the scopes to grant (RFC 6749 §3.3), without unknown ones and those that the client did not register; patient/*.read
 * counts as registered always, and offline_access of a client that is online only never: clients of before may have it otherwise.
 */
function filterScopes(requestedScope: string, client: Client): string[] {
  const names = requestedScope.split(' ');
  const registered = ['patient/*.read', ...client.scope.split(' ')];
  const granted = SCOPES.filter(
    (scope) =>
      names.includes(scope) &&
      registered.includes(scope) &&
      !(scope === 'offline_access' && isOnlineOnly(client.grantTypes)),
  );
  if (!granted.includes('patient/*.read')) throw invalidScope('scope must hold patient/*.read.');
  return granted;
}
