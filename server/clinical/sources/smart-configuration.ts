import type { OutboundResponse } from '../../platform/outbound/request.ts';
import { findTokenEndpoint } from './capabilities.ts';
import { parseJsonBody } from './fhir-client.ts';
import { readString, readStrings, type JsonObject } from './json.ts';
import { SourceFault } from './source-fault.ts';
import { sendRequest, toSourceFault, type HttpContext } from './http.ts';

export interface SmartConfiguration {
  tokenEndpoint: string;
  /** Algorithms of client assertions; null when the server declares none. */
  algs: string[] | null;
  /** The scope to request where the organization configured none. */
  scope: string;
}

const SCOPE_V2 = 'system/*.rs';
/** The same scope in SMART 1. */
const SCOPE_V1 = 'system/*.read';

/**
 * Reads where to get a token (SMART App Launch 2.2, `.well-known/smart-configuration`); from an older server's
 * CapabilityStatement. Throws `no_token_endpoint`.
 */
export async function readSmartConfiguration(http: HttpContext, base: string): Promise<SmartConfiguration> {
  const found = await readWellKnown(http, base);
  if (found !== null) return found;
  const statement = await fetchPublicJson(http, `${base}/metadata`, http.limits.metadataBytes);
  const tokenEndpoint = statement && findTokenEndpoint(statement);
  if (!tokenEndpoint) throw new SourceFault('no_token_endpoint');
  return { tokenEndpoint, algs: null, scope: SCOPE_V1 };
}

async function readWellKnown(http: HttpContext, base: string): Promise<SmartConfiguration | null> {
  const document = await fetchPublicJson(
    http,
    `${base}/.well-known/smart-configuration`,
    http.limits.responseBytes,
  );
  const tokenEndpoint = document && readString(document['token_endpoint']);
  if (!tokenEndpoint) return null;
  const algs = document['token_endpoint_auth_signing_alg_values_supported'];
  return {
    tokenEndpoint,
    algs: algs === undefined ? null : readStrings(algs),
    scope: selectDefaultScope(document),
  };
}

/** Selects the scope of version 2 unless the server knows version 1 only. */
export function selectDefaultScope(document: JsonObject): string {
  const scopes = readStrings(document['scopes_supported']);
  const capabilities = readStrings(document['capabilities']);
  if (scopes.includes(SCOPE_V2) || capabilities.includes('permission-v2')) return SCOPE_V2;
  return scopes.includes(SCOPE_V1) || capabilities.includes('permission-v1') ? SCOPE_V1 : SCOPE_V2;
}

/** Fetches a public document; returns null where it is missing or not JSON. */
async function fetchPublicJson(http: HttpContext, url: string, maxBytes: number): Promise<JsonObject | null> {
  const headers = { accept: 'application/json, application/fhir+json;q=0.9' };
  const { firstRequestMs: timeoutMs } = http.limits;
  const response: OutboundResponse = await sendRequest(http, {
    method: 'GET',
    url,
    headers,
    maxBytes,
    timeoutMs,
  });
  if (response.status === 429 || (response.status >= 500 && response.status !== 501))
    throw toSourceFault(response, http.clock.now());
  if (response.status !== 200) return null;
  try {
    return parseJsonBody(response);
  } catch {
    return null;
  }
}
