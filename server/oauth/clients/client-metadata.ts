import type { z } from 'zod';
import { SCOPES, type ClientRegistrationRequest } from '../../../contract/oauth.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { readClientName } from './client-name.ts';
import { refusalOfRedirectUri } from './redirect-uri.ts';

/** What a client says of itself (RFC 7591 §2), once it is known to be acceptable. */
export interface ClientMetadata {
  clientName: string | null;
  redirectUris: string[];
  /** null: it did not say. */
  grantTypes: string[] | null;
  /** Space-separated; never empty. */
  scope: string;
}

const MOST_REDIRECT_URIS = 20;

export const GRANT_TYPES: readonly string[] = ['authorization_code', 'refresh_token'];

/** Throws `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591 §3.2.2); neither quotes what was sent. */
export function checkClientMetadata(given: z.infer<typeof ClientRegistrationRequest>): ClientMetadata {
  const { token_endpoint_auth_method: method = 'none', response_types: responses = ['code'] } = given;
  if (method !== 'none') throw invalidMetadata('token_endpoint_auth_method must be none.');
  if (responses.length !== 1 || responses[0] !== 'code')
    throw invalidMetadata('response_types must be [code].');
  return {
    clientName: clientName(given.client_name),
    redirectUris: redirectUris(given.redirect_uris),
    grantTypes: grantTypes(given.grant_types),
    scope: supportedScope(given.scope),
  };
}

function clientName(given = ''): string | null {
  if (given.trim() === '') return null;
  const name = readClientName(given);
  if (name === null) {
    throw invalidMetadata('client_name must have at most 200 characters, and none that cannot be seen.');
  }
  return name;
}

function redirectUris(given: readonly string[]): string[] {
  if (given.length === 0 || given.length > MOST_REDIRECT_URIS) {
    throw invalidRedirectUri(`redirect_uris must hold 1 to ${MOST_REDIRECT_URIS} addresses.`);
  }
  given.forEach((uri, position) => {
    const refusal = refusalOfRedirectUri(uri);
    if (refusal !== null) throw invalidRedirectUri(`redirect_uris[${position}] ${refusal}.`);
  });
  return [...new Set(given)];
}

function grantTypes(given: readonly string[] | undefined): string[] | null {
  if (given === undefined) return null;
  const known = given.every((type) => GRANT_TYPES.includes(type));
  if (!known || !given.includes('authorization_code')) {
    throw invalidMetadata('grant_types must be authorization_code, with or without refresh_token.');
  }
  return [...new Set(given)];
}

/** RFC 7591 §2: a server may narrow what a client asks for, and says so in its answer. */
function supportedScope(given = ''): string {
  const asked = given.split(' ');
  const kept = SCOPES.filter((scope) => asked.includes(scope));
  return (kept.length > 0 ? kept : SCOPES).join(' ');
}

const invalidMetadata = (detail: string): Refusal => new Refusal(400, 'invalid_client_metadata', { detail });

const invalidRedirectUri = (detail: string): Refusal => new Refusal(400, 'invalid_redirect_uri', { detail });
