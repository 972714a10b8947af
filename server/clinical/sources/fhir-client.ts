import type { OutboundResponse } from '../../platform/outbound/request.ts';
import { hasMoreValues } from '../ingest/readers/count-values.ts';
import { createJsonSlicer } from '../ingest/readers/json-slices.ts';
import { SourceFault } from './source-fault.ts';
import { sendRequest, toSourceFault, type HttpContext } from './http.ts';

/** The credentials of requests. */
export interface Credentials {
  /** Returns the `Authorization` header; null for none. */
  getAuthorization(): Promise<string | null>;
  /** Called after a 401; returns false where there are no other credentials. */
  renew(): boolean;
}

export interface FhirClient {
  /** Without a slash at its end. */
  readonly base: string;
  get(path: string, maxBytes: number, timeoutMs?: number): Promise<OutboundResponse>;
  post(path: string, body: object): Promise<OutboundResponse>;
}

const FHIR_JSON = 'application/fhir+json';

/** `application/json+fhir` is the type of DSTU2, which some servers still send. */
const IS_JSON = /^application\/(?:fhir\+json|json|json\+fhir)\s*(?:;|$)/i;

/**
 * Creates a client that returns 2xx responses of JSON and throws a `SourceFault` for all others. Redirects are not
 * followed.
 */
export function createFhirClient(http: HttpContext, base: string, credentials: Credentials): FhirClient {
  const send = async (
    method: 'GET' | 'POST',
    url: string,
    { maxBytes, timeoutMs, body }: { maxBytes: number; timeoutMs?: number | undefined; body?: string },
  ): Promise<OutboundResponse> => {
    const authorization = await credentials.getAuthorization();
    const headers = {
      accept: `${FHIR_JSON}, application/json;q=0.9`,
      ...(body !== undefined && { 'content-type': FHIR_JSON }),
      ...(authorization !== null && { authorization }),
    };
    return sendRequest(http, {
      method,
      url,
      headers,
      maxBytes,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(body !== undefined && { body }),
    });
  };

  const sendChecked = async (...request: Parameters<typeof send>): Promise<OutboundResponse> => {
    let response = await send(...request);
    if (response.status === 401 && credentials.renew()) response = await send(...request);
    if (response.status < 200 || response.status > 299) throw toSourceFault(response, http.clock.now());
    if (!IS_JSON.test(response.headers['content-type'] ?? ''))
      throw new SourceFault('not_fhir', { status: response.status });
    return response;
  };

  // Credentials are sent only to URLs under the base.
  const resolveUrl = (path: string): string => {
    const url = path.startsWith('/') ? base + path : path;
    if (!isUnderBase(base, url)) throw new SourceFault('paging_elsewhere');
    return url;
  };

  return {
    base,
    get: (path, maxBytes, timeoutMs) => sendChecked('GET', resolveUrl(path), { maxBytes, timeoutMs }),
    post: (path, body) =>
      sendChecked('POST', resolveUrl(path), {
        maxBytes: http.limits.responseBytes,
        body: JSON.stringify(body),
      }),
  };
}

/** True for the same origin with the base's path or one below it; the WHATWG parser has resolved dots by then. */
export function isUnderBase(base: string, url: string): boolean {
  const [root, target] = [URL.parse(base), URL.parse(url)];
  if (root === null || target === null || target.origin !== root.origin) return false;
  if (target.username !== '' || target.password !== '') return false;
  const path = root.pathname.replace(/\/$/, '');
  return target.pathname === path || target.pathname.startsWith(`${path}/`);
}

/**
 * Values of a response that is parsed here: 8 MiB of `{},{},…` would hold up everybody's calls for a second and take 300 MB. The
 * CapabilityStatement of a server with every profile has some 200,000.
 */
const MAX_VALUES = 500_000;

function endsEarly(body: Buffer): boolean {
  const slicer = createJsonSlicer({ values: new Set() });
  slicer.push(body);
  return slicer.state() === 'open';
}

/**
 * Parses the JSON of a small response; throws `not_fhir`, `malformed_answer` for one that is cut off, or `answer_too_large` for one
 * of too many values.
 */
export function parseJsonBody({ body, status }: OutboundResponse): Record<string, unknown> {
  if (hasMoreValues(body, MAX_VALUES)) throw new SourceFault('answer_too_large', { status });
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\u{FEFF}/u, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Where the length is not said, a closed connection ends a body (RFC 9112 §6.3), also one that was cut off.
    if (endsEarly(body)) throw new SourceFault('malformed_answer', { status });
  }
  throw new SourceFault('not_fhir', { status });
}
