import type { Configuration, CustomFetch, IDToken } from 'openid-client';
import { readMonotonicMs } from '../../../platform/kernel/clock.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { OutboundFailedError, OutboundRefusedError } from '../../../platform/outbound/request.ts';
import type { ProviderAnswer } from './claims.ts';
import type { RoleMapping } from './role-mapping.ts';

export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  roles: RoleMapping;
  /** No member of its organization signs in by password or passkey. */
  isOnly: boolean;
  /** Whose members they become; null: the organization that was created first. */
  organizationId: string | null;
}

export interface PendingRequest {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface OidcProvider {
  config: OidcConfig;
  /** Returns an authorization request; `isAgain`: the person proves anew who they are. */
  begin(options: { isAgain: boolean }): Promise<PendingRequest & { url: string }>;
  /** Exchanges the code of an answer; throws `oidc_failed` where anything of it does not match the request. */
  complete(
    parameters: Readonly<Record<string, string>>,
    expected: PendingRequest & { isAgain: boolean },
  ): Promise<ProviderAnswer>;
}

/** The address that the provider sends browsers back to: a page, which hands what it got on. */
export const buildRedirectUri = (baseUrl: string): string => `${baseUrl}/console/oidc`;

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/** How long the provider's metadata counts for leading browsers there. */
const METADATA_MS = 3_600_000;

/** How long ago a person may have signed in there for it to be a proof of presence now. */
const MAX_AGE_SECONDS = 60;

interface Deps {
  outbound: OutboundClient;
  baseUrl: string;
}

/** All of openid-client takes a moment to load: only a service that uses it has to. */
const load = () => import('openid-client');

export function createOidcProvider({ outbound, baseUrl }: Deps, config: OidcConfig): OidcProvider {
  const getServer = createDiscovery(outbound, config);
  const redirectUri = buildRedirectUri(baseUrl);
  return {
    config,
    begin: ({ isAgain }) =>
      guard(async () => {
        const [client, server] = [await load(), await getServer()];
        const state = client.randomState();
        const nonce = client.randomNonce();
        const codeVerifier = client.randomPKCECodeVerifier();
        const url = client.buildAuthorizationUrl(server, {
          redirect_uri: redirectUri,
          scope: buildScope(server),
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(isAgain && { prompt: 'login', max_age: '0' }),
        });
        return { url: url.href, state, nonce, codeVerifier };
      }),
    complete: (parameters, expected) =>
      guard(async () => {
        const url = new URL(redirectUri);
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
        // Anew, with the keys: what is signed by one that is published no more counts no more, and a new one does at once.
        return exchangeCode(await discover(outbound, config), url, expected);
      }),
  };
}

/** Exchanges the code, and verifies the ID token: its signature too, although TLS vouches for where it came from. */
async function exchangeCode(
  server: Configuration,
  url: URL,
  { state, nonce, codeVerifier, isAgain }: PendingRequest & { isAgain: boolean },
): Promise<ProviderAnswer> {
  const client = await load();
  const tokens = await client.authorizationCodeGrant(server, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
    ...(isAgain && { maxAge: MAX_AGE_SECONDS }),
  });
  const idToken = tokens.claims() as IDToken;
  const hasUserInfo = server.serverMetadata().userinfo_endpoint !== undefined;
  // Refused where it is about another subject than the ID token (OpenID Connect Core §5.3.2).
  const userInfo = hasUserInfo ? await client.fetchUserInfo(server, tokens.access_token, idToken.sub) : null;
  return { idToken, userInfo };
}

/** `groups` only where the provider knows it: others refuse a scope that they do not. */
function buildScope(server: Configuration): string {
  const supported = server.serverMetadata().scopes_supported ?? [];
  return ['openid', 'email', 'profile', ...(supported.includes('groups') ? ['groups'] : [])].join(' ');
}

/** Fetches the provider's metadata when it is asked for, at most once an hour; a failure is not kept. */
function createDiscovery(outbound: OutboundClient, config: OidcConfig): () => Promise<Configuration> {
  let known: { at: number; server: Promise<Configuration> } | null = null;
  return () => {
    if (known && readMonotonicMs() - known.at < METADATA_MS) return known.server;
    const fresh = { at: readMonotonicMs(), server: discover(outbound, config) };
    known = fresh;
    fresh.server.catch(() => {
      if (known === fresh) known = null;
    });
    return fresh.server;
  };
}

async function discover(
  outbound: OutboundClient,
  { issuer, clientId, clientSecret }: OidcConfig,
): Promise<Configuration> {
  const client = await load();
  const server = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    [client.customFetch]: createFetch(outbound),
    execute: [
      client.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
    ],
  });
  return server;
}

/**
 * The guarded client as openid-client takes it. The operator names the issuer, so it may be in a private network; without TLS
 * it may be nowhere else.
 */
const createFetch =
  (outbound: OutboundClient): CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await outbound.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body !== undefined && body !== null && { body: String(body as URLSearchParams | string) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      allowPrivate: true,
      allowPlain: true,
    });
    const received = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) received.set(name, String(value));
    const isEmpty = answer.status === 204 || answer.status === 304;
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: received,
    });
  };

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toRefusal(error);
  }
}

/** What went wrong, for the operator's log: a code of the library or of the provider, and nothing of a person. */
function toRefusal(error: unknown): Refusal {
  const chain: unknown[] = [];
  for (let each = error; each instanceof Error && chain.length < 5; each = each.cause) chain.push(each);
  const network = chain.find(
    (each) => each instanceof OutboundFailedError || each instanceof OutboundRefusedError,
  );
  if (network) return unavailable((network as OutboundFailedError).reason);
  const { code = 'unknown', error: answered } = error as { code?: string; error?: string };
  const reason = `${code}${answered === undefined ? '' : ` ${answered.slice(0, 40)}`}`;
  return isProviderFault(code) ? unavailable(reason) : oidcFailed(reason);
}

/** The provider's answer is none: an error of its server, a client secret that it does not know, no address of its keys. */
const isProviderFault = (code: string): boolean =>
  [
    'OAUTH_RESPONSE_IS_NOT_CONFORM',
    'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
    'OAUTH_MISSING_SERVER_METADATA',
    'OAUTH_INVALID_SERVER_METADATA',
  ].includes(code);

/** Builds the refusal of what only the operator, or whoever runs the provider, can mend; `reason` is for the log. */
export const unavailable = (reason: string): Refusal =>
  new Refusal(503, 'oidc_unavailable', {
    detail: 'The identity provider does not answer as it should; try again in a moment.',
    reason: `identity provider: ${reason}`,
  });

/** Builds the refusal of an answer that does not belong to what this browser began. */
export const oidcFailed = (reason: string): Refusal =>
  new Refusal(401, 'oidc_failed', {
    detail: 'Signing in at the identity provider did not succeed; begin again.',
    reason: `identity provider: ${reason}`,
  });
