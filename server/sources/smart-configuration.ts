import type { EgressAnswer } from '../egress/request.ts';
import { tokenEndpointIn } from './capabilities.ts';
import { jsonOf } from './fhir-client.ts';
import { text, texts, type Json } from './json.ts';
import { SourceFault } from './source-fault.ts';
import { ask, faultOfStatus, type Wire } from './wire.ts';

export interface SmartConfiguration {
  tokenEndpoint: string;
  /** Of client assertions; null: the server does not say. */
  algs: string[] | null;
  /** What to ask for where the organization does not say. */
  scope: string;
}

const EVERYTHING = 'system/*.rs';
/** As SMART 1 wrote it. */
const EVERYTHING_V1 = 'system/*.read';

/**
 * Where to get a token (SMART App Launch 2.2, `.well-known/smart-configuration`); of an older server its
 * CapabilityStatement tells. Throws `no_token_endpoint`.
 */
export async function readSmartConfiguration(wire: Wire, base: string): Promise<SmartConfiguration> {
  const found = await wellKnown(wire, base);
  if (found !== null) return found;
  const statement = await publicJson(wire, `${base}/metadata`, wire.limits.metadataBytes);
  const tokenEndpoint = statement && tokenEndpointIn(statement);
  if (!tokenEndpoint) throw new SourceFault('no_token_endpoint');
  return { tokenEndpoint, algs: null, scope: EVERYTHING_V1 };
}

async function wellKnown(wire: Wire, base: string): Promise<SmartConfiguration | null> {
  const document = await publicJson(wire, `${base}/.well-known/smart-configuration`, wire.limits.answerBytes);
  const tokenEndpoint = document && text(document['token_endpoint']);
  if (!tokenEndpoint) return null;
  const algs = document['token_endpoint_auth_signing_alg_values_supported'];
  return {
    tokenEndpoint,
    algs: algs === undefined ? null : texts(algs),
    scope: defaultScope(document),
  };
}

/** Of version 2 unless the server knows version 1 alone. */
export function defaultScope(document: Json): string {
  const scopes = texts(document['scopes_supported']);
  const capabilities = texts(document['capabilities']);
  if (scopes.includes(EVERYTHING) || capabilities.includes('permission-v2')) return EVERYTHING;
  return scopes.includes(EVERYTHING_V1) || capabilities.includes('permission-v1')
    ? EVERYTHING_V1
    : EVERYTHING;
}

/** A document that is there for everybody; null where it is not there, or is none. */
async function publicJson(wire: Wire, url: string, maxBytes: number): Promise<Json | null> {
  const headers = { accept: 'application/json, application/fhir+json;q=0.9' };
  const answer: EgressAnswer = await ask(wire, { method: 'GET', url, headers, maxBytes });
  if (answer.status === 429 || (answer.status >= 500 && answer.status !== 501))
    throw faultOfStatus(answer, wire.clock.now());
  if (answer.status !== 200) return null;
  try {
    return jsonOf(answer);
  } catch {
    return null;
  }
}
