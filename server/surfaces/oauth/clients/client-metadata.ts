import type { z } from 'zod';
import {
  SCOPES,
  type ClientRegistrationRequest,
  MAX_CLIENT_NAME_LENGTH,
} from '../../../../contract/oauth/oauth.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { parseClientAbout, type ClientAbout } from './client-about.ts';
import { findRedirectUriError } from './redirect-uri.ts';

/** A public client, registered or documented. */
export interface Client {
  /** UUID, or the URL of its document. */
  clientId: string;
  /** The name that the client gives itself. */
  name: string | null;
  /** The host that its document was fetched from; null for a registered client. */
  host: string | null;
  redirectUris: readonly string[];
  /** null: it named none. */
  grantTypes: readonly string[] | null;
  scope: string;
  about: ClientAbout | null;
}

/** Validated metadata of a client (RFC 7591 §2). */
export interface ClientMetadata {
  clientName: string | null;
  redirectUris: string[];
  /** null: it named none. */
  grantTypes: string[] | null;
  /** Space-separated; never empty. */
  scope: string;
  about: ClientAbout | null;
}

const MAX_REDIRECT_URIS = 20;

const GRANT_TYPES: readonly string[] = ['authorization_code', 'refresh_token'];

/**
 * Validates metadata. Grant and response types that this server does not support are left out, since the response of a
 * registration says what was granted (RFC 7591 §3.2.1), and a document addresses all servers. Throws
 * `invalid_redirect_uri` or `invalid_client_metadata` (§3.2.2), which never quote it, when nothing of use is left.
 */
export function validateClientMetadata(metadata: z.infer<typeof ClientRegistrationRequest>): ClientMetadata {
  const { token_endpoint_auth_method: method, response_types: responses } = metadata;
  if ((method ?? 'none') !== 'none') throw invalidMetadata('token_endpoint_auth_method must be none.');
  if (!(responses ?? ['code']).includes('code')) throw invalidMetadata('response_types must hold code.');
  const grantTypes = filterGrantTypes(metadata.grant_types ?? null);
  return {
    clientName: validateClientName(metadata.client_name ?? ''),
    redirectUris: validateRedirectUris(metadata.redirect_uris),
    grantTypes,
    scope: filterScope(metadata.scope ?? '', grantTypes),
    about: parseClientAbout(metadata),
  };
}

/**
 * Control, format (bidi, zero-width), private-use and unassigned characters, lone surrogates; line and paragraph
 * separators; invisible letters; more marks on one letter than any language has, which would cover other lines.
 */
const DECEPTIVE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}{4}/u;

/** The emoji that Unicode recommends: some are joined by what hides letters elsewhere, as the health worker is. */
const EMOJI = /\p{RGI_Emoji}/gv;

const NAME = new RegExp(`^.{1,${MAX_CLIENT_NAME_LENGTH}}$`, 'su');

/** Returns a name that a page can show, or null. It may still be somebody else's name, of which the page warns. */
export function parseClientName(text: string): string | null {
  const name = text.trim();
  return NAME.test(name) && !DECEPTIVE.test(name.replace(EMOJI, '')) ? name : null;
}

function validateClientName(text: string): string | null {
  if (text.trim() === '') return null;
  const name = parseClientName(text);
  if (name === null) {
    throw invalidMetadata(
      `client_name must have at most ${MAX_CLIENT_NAME_LENGTH} characters, all of them visible.`,
    );
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

function filterGrantTypes(types: readonly string[] | null): string[] | null {
  if (types === null) return null;
  if (!types.includes('authorization_code'))
    throw invalidMetadata('grant_types must hold authorization_code.');
  return [...new Set(types)].filter((type) => GRANT_TYPES.includes(type));
}

/** Whether a client named its grant types without refresh_token: it has no use for offline_access, and is never granted it. */
export const isOnlineOnly = (grantTypes: readonly string[] | null): boolean =>
  grantTypes !== null && !grantTypes.includes('refresh_token');

/**
 * RFC 7591 §2: a server may change the scope that a client requests; its response says so (§3.2.1). Without the scope that reads,
 * no authorization of the client could ever be granted. One that requests nothing we know gets all that its grant types have use
 * for.
 */
function filterScope(requestedScope: string, grantTypes: readonly string[] | null): string {
  const requested = requestedScope.split(' ');
  const supported = SCOPES.filter((scope) => requested.includes(scope));
  return SCOPES.filter(
    (scope) =>
      scope === 'patient/*.read' ||
      ((supported.length === 0 || supported.includes(scope)) && !isOnlineOnly(grantTypes)),
  ).join(' ');
}

const invalidMetadata = (detail: string): Refusal => new Refusal(400, 'invalid_client_metadata', { detail });

const invalidRedirectUri = (detail: string): Refusal => new Refusal(400, 'invalid_redirect_uri', { detail });
