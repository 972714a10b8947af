import { LRUCache } from 'lru-cache';
import type { OutboundResponse } from '../../platform/outbound/request.ts';
import type { SecretSeal } from '../../platform/keys/secret-seal.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { selectAlg, signClientAssertion } from './client-keys.ts';
import { parseJsonBody, type Credentials } from './fhir-client.ts';
import { readString, type JsonObject } from './json.ts';
import { readSmartConfiguration } from './smart-configuration.ts';
import { SourceFault } from './source-fault.ts';
import { selectPrivateKeys, type SourceRow } from './sources.sql.ts';
import { openKey, toBearerPurpose } from './stored-secrets.ts';
import { sendRequest, toSourceFault, type HttpContext } from './http.ts';

export interface AccessToken {
  token: string;
  expiresAt: number;
}

/** Caches valid tokens, so that not each patient's sync requests one. */
export type TokenCache = LRUCache<string, AccessToken>;

export const createTokenCache = (): TokenCache => new LRUCache({ max: 1000 });

interface Deps {
  db: Db;
  clock: Clock;
  secrets: SecretSeal;
  tokens: TokenCache;
}

/** Creates the credentials of a source's requests, by its settings. */
export function createCredentials(deps: Deps, http: HttpContext, source: SourceRow): Credentials {
  if (source.authentication === 'none') return { getAuthorization: async () => null, renew: () => false };
  if (source.authentication === 'bearer')
    return {
      getAuthorization: async () =>
        `Bearer ${await deps.secrets.open(toBearerPurpose(source.source_id), source.bearer_secret ?? '')}`,
      renew: () => false,
    };
  return createBackendServicesCredentials(deps, http, source);
}

/** A token is not used in its last half minute: it could expire while a request is in flight. */
const EXPIRY_MARGIN_MS = 30_000;

function createBackendServicesCredentials(deps: Deps, http: HttpContext, source: SourceRow): Credentials {
  const { clock, tokens } = deps;
  // A token that was requested under another client or URL is not used.
  const key = `${source.source_id} ${source.changed_at.getTime()}`;
  return {
    async getAuthorization() {
      const known = tokens.get(key);
      if (known && known.expiresAt - EXPIRY_MARGIN_MS > clock.now().getTime()) return `Bearer ${known.token}`;
      const fresh = await requestToken(deps, http, source);
      tokens.set(key, fresh);
      return `Bearer ${fresh.token}`;
    },
    renew: () => tokens.delete(key),
  };
}

/** Requests a token of SMART Backend Services: client credentials with a signed assertion (RFC 7523 §2.2). */
async function requestToken(
  { db, secrets }: Deps,
  http: HttpContext,
  source: SourceRow,
): Promise<AccessToken> {
  const configuration = await discoverConfiguration(http, source);
  const alg = selectAlg(configuration.algs);
  const key = (await db.query(selectPrivateKeys(source.source_id))).find((each) => each.alg === alg);
  if (!key) throw new SourceFault('alg_not_supported');
  const now = http.clock.now();
  const { tokenEndpoint: audience } = configuration;
  const response = await sendRequest(http, {
    method: 'POST',
    url: audience,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: configuration.scope,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await signClientAssertion(await openKey(secrets, key), {
        clientId: source.client_id ?? '',
        audience,
        now,
      }),
    }).toString(),
    maxBytes: http.limits.tokenBytes,
    timeoutMs: http.limits.firstRequestMs,
  });
  if (response.status === 400 || response.status === 401 || response.status === 403)
    throw new SourceFault('token_refused', { status: response.status });
  if (response.status !== 200) throw toSourceFault(response, now);
  return parseToken(response, now);
}

/** Discovers the configuration; where the organization configured the endpoint, discovery still gives the algorithms. */
async function discoverConfiguration(
  http: HttpContext,
  { base_url: base, token_endpoint: configured, scope }: SourceRow,
): ReturnType<typeof readSmartConfiguration> {
  const found = await readSmartConfiguration(http, base).catch((error: unknown) => {
    if (configured === null || !(error instanceof SourceFault)) throw error;
    return { tokenEndpoint: configured, algs: null, scope: 'system/*.rs' };
  });
  return { ...found, tokenEndpoint: configured ?? found.tokenEndpoint, scope: scope ?? found.scope };
}

/**
 * Parses a token response (RFC 6749 §5.1); without `expires_in`, the five minutes that SMART Backend Services
 * recommends at most.
 */
function parseToken(response: OutboundResponse, now: Date): AccessToken {
  const json = parseTokenJson(response);
  const token = readString(json['access_token']);
  const type = readString(json['token_type']);
  if (token === null || !/^[\x21-\x7e]{1,16384}$/.test(token) || type?.toLowerCase() !== 'bearer')
    throw new SourceFault('token_malformed');
  const seconds = Number(json['expires_in'] ?? 300);
  const lifetime = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 86_400) : 300;
  return { token, expiresAt: now.getTime() + lifetime * 1000 };
}

function parseTokenJson(response: OutboundResponse): JsonObject {
  try {
    return parseJsonBody(response);
  } catch {
    throw new SourceFault('token_malformed');
  }
}
