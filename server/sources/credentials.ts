import { LRUCache } from 'lru-cache';
import type { EgressAnswer } from '../egress/request.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/db.ts';
import { chosenAlg, clientAssertion } from './client-keys.ts';
import { jsonOf, type Credentials } from './fhir-client.ts';
import { text, type Json } from './json.ts';
import { readSmartConfiguration } from './smart-configuration.ts';
import { SourceFault } from './source-fault.ts';
import { privateKeys, type SourceRow } from './sources.sql.ts';
import { ask, faultOfStatus, type Wire } from './wire.ts';

export interface AccessToken {
  token: string;
  expiresAt: number;
}

/** Tokens that are good for a while yet, so that each patient's sync need not ask for one. */
export type TokenCache = LRUCache<string, AccessToken>;

export const tokenCache = (): TokenCache => new LRUCache({ max: 1000 });

interface Deps {
  db: Db;
  clock: Clock;
  tokens: TokenCache;
}

/** What a source's requests are signed in with, as it is set up. */
export function credentialsOf(deps: Deps, wire: Wire, source: SourceRow): Credentials {
  if (source.authentication === 'none') return { header: async () => null, renew: () => false };
  if (source.authentication === 'bearer')
    return { header: async () => `Bearer ${source.bearer_secret ?? ''}`, renew: () => false };
  return backendServices(deps, wire, source);
}

/** Not used for the last half minute: a request on its way would come too late. */
const MARGIN_MS = 30_000;

function backendServices({ db, clock, tokens }: Deps, wire: Wire, source: SourceRow): Credentials {
  // What was asked for under another client or address is not used.
  const key = `${source.source_id} ${source.changed_at.getTime()}`;
  return {
    async header() {
      const known = tokens.get(key);
      if (known && known.expiresAt - MARGIN_MS > clock.now().getTime()) return `Bearer ${known.token}`;
      const fresh = await requestToken(db, wire, source);
      tokens.set(key, fresh);
      return `Bearer ${fresh.token}`;
    },
    renew: () => tokens.delete(key),
  };
}

/** SMART Backend Services: client credentials with a signed assertion (RFC 7523 §2.2). */
async function requestToken(db: Db, wire: Wire, source: SourceRow): Promise<AccessToken> {
  const configuration = await configurationOf(wire, source);
  const alg = chosenAlg(configuration.algs);
  const key = (await db.query(privateKeys(source.source_id))).find((each) => each.alg === alg);
  if (!key) throw new SourceFault('alg_not_supported');
  const now = wire.clock.now();
  const { tokenEndpoint: audience } = configuration;
  const answer = await ask(wire, {
    method: 'POST',
    url: audience,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: configuration.scope,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await clientAssertion(key, { clientId: source.client_id ?? '', audience, now }),
    }).toString(),
    maxBytes: wire.limits.tokenBytes,
  });
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    throw new SourceFault('token_refused', { status: answer.status });
  if (answer.status !== 200) throw faultOfStatus(answer, now);
  return tokenIn(answer, now);
}

/** Where the organization names the endpoint, discovery still tells of algorithms, if it is there. */
async function configurationOf(
  wire: Wire,
  { base_url: base, token_endpoint: named, scope }: SourceRow,
): ReturnType<typeof readSmartConfiguration> {
  const found = await readSmartConfiguration(wire, base).catch((error: unknown) => {
    if (named === null || !(error instanceof SourceFault)) throw error;
    return { tokenEndpoint: named, algs: null, scope: 'system/*.rs' };
  });
  return { ...found, tokenEndpoint: named ?? found.tokenEndpoint, scope: scope ?? found.scope };
}

/** RFC 6749 §5.1; without `expires_in` the five minutes that SMART Backend Services recommends at most. */
function tokenIn(answer: EgressAnswer, now: Date): AccessToken {
  const given = answeredJson(answer);
  const token = text(given['access_token']);
  const type = text(given['token_type']);
  if (token === null || !/^[\x21-\x7e]{1,16384}$/.test(token) || type?.toLowerCase() !== 'bearer')
    throw new SourceFault('token_malformed');
  const seconds = Number(given['expires_in'] ?? 300);
  const lifetime = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 86_400) : 300;
  return { token, expiresAt: now.getTime() + lifetime * 1000 };
}

function answeredJson(answer: EgressAnswer): Json {
  try {
    return jsonOf(answer);
  } catch {
    throw new SourceFault('token_malformed');
  }
}
