import type { z } from 'zod';
import { SCOPES, type ClientRegistrationRequest } from '../../../../contract/oauth/oauth.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { readClientName } from './client-name.ts';
import { findRedirectUriError } from './redirect-uri.ts';

/** What a client says of itself (RFC 7591 §2), once it is known to be acceptable. */
export interface ClientMetadata {
  clientName: string | null;
  redirectUris: string[];
  /** null: it did not say. */
  grantTypes: string[] | null;
  /** Space-separated; never empty. */
  scope: string;
}

const MAX_REDIRECT_URIS = 20;

export const GRANT_TYPES: readonly string[] = ['authorization_code', 'refresh_token'];

/** Throws `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591 §3.2.2); neither quotes what was sent. */
export function validateClientMetadata(metadata: z.infer<typeof ClientRegistrationRequest>): ClientMetadata {
  const { token_endpoint_auth_method: method = 'none', response_types: responses = ['code'] } = metadata;
  if (method !== 'none') throw invalidMetadata('token_endpoint_auth_method must be none.');
  if (responses.length !== 1 || responses[0] !== 'code')
    throw invalidMetadata('response_types must be [code].');
  return {
    clientName: validateClientName(metadata.client_name),
    redirectUris: validateRedirectUris(metadata.redirect_uris),
    grantTypes: validateGrantTypes(metadata.grant_types),
    scope: filterScope(metadata.scope),
  };
}

function validateClientName(text = ''): string | null {
  if (text.trim() === '') return null;
  const name = readClientName(text);
  if (name === null) {
    throw invalidMetadata('client_name must have at most 200 characters, and none that cannot be seen.');
  }
  return name;
}

function validateRedirectUris(uris: readonly string[]): string[] {
  if (uris.length === 0 || uris.length > MAX_REDIRECT_URIS) {
    throw invalidRedirectUri(`redirect_uris must hold 1 to ${MAX_REDIRECT_URIS} addresses.`);
  }
  uris.forEach((uri, position) => {
    const error = findRedirectUriError(uri);
    if (error !== null) throw invalidRedirectUri(`redirect_uris[${position}] ${error}.`);
  });
  return [...new Set(uris)];
}

function validateGrantTypes(types: readonly string[] | undefined): string[] | null {
  if (types === undefined) return null;
  const known = types.every((type) => GRANT_TYPES.includes(type));
  if (!known || !types.includes('authorization_code')) {
    throw invalidMetadata('grant_types must be authorization_code, with or without refresh_token.');
  }
  return [...new Set(types)];
}

/** RFC 7591 §2: a server may narrow what a client asks for, and says so in its answer. */
function filterScope(requestedScope = ''): string {
  const requested = requestedScope.split(' ');
  const supported = SCOPES.filter((scope) => requested.includes(scope));
  return (supported.length > 0 ? supported : SCOPES).join(' ');
}

const invalidMetadata = (detail: string): Refusal => new Refusal(400, 'invalid_client_metadata', { detail });

const invalidRedirectUri = (detail: string): Refusal => new Refusal(400, 'invalid_redirect_uri', { detail });
