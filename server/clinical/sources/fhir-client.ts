import type { OutboundResponse } from '../../platform/outbound/request.ts';
import { SourceFault } from './source-fault.ts';
import { sendRequest, toSourceFault, type HttpContext } from './http.ts';

/** What a request is signed in with. */
export interface Credentials {
  /** Of the `Authorization` header; null: none. */
  getAuthorization(): Promise<string | null>;
  /** After a 401: false where there is nothing better. */
  renew(): boolean;
}

export interface FhirClient {
  /** Without a slash at its end. */
  readonly base: string;
  get(path: string, maxBytes: number): Promise<OutboundResponse>;
  post(path: string, body: object): Promise<OutboundResponse>;
}

const FHIR_JSON = 'application/fhir+json';

/** `application/json+fhir` is what servers of DSTU2's time go on saying. */
const IS_JSON = /^application\/(?:fhir\+json|json|json\+fhir)\s*(?:;|$)/i;

/** Answers are 2xx and say that they are JSON; all else is thrown as a `SourceFault`. Redirects are not followed. */
export function createFhirClient(http: HttpContext, base: string, credentials: Credentials): FhirClient {
  const send = async (
    method: 'GET' | 'POST',
    url: string,
    { maxBytes, body }: { maxBytes: number; body?: string },
  ): Promise<OutboundResponse> => {
    const authorization = await credentials.getAuthorization();
    const headers = {
      accept: `${FHIR_JSON}, application/json;q=0.9`,
      ...(body !== undefined && { 'content-type': FHIR_JSON }),
      ...(authorization !== null && { authorization }),
    };
    return sendRequest(http, { method, url, headers, maxBytes, ...(body !== undefined && { body }) });
  };

  const sendChecked = async (...request: Parameters<typeof send>): Promise<OutboundResponse> => {
    let response = await send(...request);
    if (response.status === 401 && credentials.renew()) response = await send(...request);
    if (response.status < 200 || response.status > 299) throw toSourceFault(response, http.clock.now());
    if (!IS_JSON.test(response.headers['content-type'] ?? ''))
      throw new SourceFault('not_fhir', { status: response.status });
    return response;
  };

  // Only addresses under the base are signed in at: whoever calls with another one has made a mistake.
  const resolveUrl = (path: string): string => {
    const url = path.startsWith('/') ? base + path : path;
    if (!isUnderBase(base, url)) throw new SourceFault('paging_elsewhere');
    return url;
  };

  return {
    base,
    get: (path, maxBytes) => sendChecked('GET', resolveUrl(path), { maxBytes }),
    post: (path, body) =>
      sendChecked('POST', resolveUrl(path), {
        maxBytes: http.limits.responseBytes,
        body: JSON.stringify(body),
      }),
  };
}

/** The same origin, and the base's path or one below it; WHATWG has resolved dots by then. */
export function isUnderBase(base: string, url: string): boolean {
  const [root, target] = [URL.parse(base), URL.parse(url)];
  if (root === null || target === null || target.origin !== root.origin) return false;
  if (target.username !== '' || target.password !== '') return false;
  const path = root.pathname.replace(/\/$/, '');
  return target.pathname === path || target.pathname.startsWith(`${path}/`);
}

/** The JSON of a small answer; throws `not_fhir`. */
export function parseJsonBody({ body, status }: OutboundResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\u{FEFF}/u, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new SourceFault('not_fhir', { status });
}
