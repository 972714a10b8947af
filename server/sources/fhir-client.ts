import type { EgressAnswer } from '../egress/request.ts';
import { SourceFault } from './source-fault.ts';
import { ask, faultOfStatus, type Wire } from './wire.ts';

/** What a request is signed in with. */
export interface Credentials {
  /** Of the `Authorization` header; null: none. */
  header(): Promise<string | null>;
  /** After a 401: false where there is nothing better. */
  renew(): boolean;
}

export interface FhirClient {
  /** Without a slash at its end. */
  readonly base: string;
  get(path: string, maxBytes: number): Promise<EgressAnswer>;
  post(path: string, body: object): Promise<EgressAnswer>;
}

const FHIR_JSON = 'application/fhir+json';

/** `application/json+fhir` is what servers of DSTU2's time go on saying. */
const IS_JSON = /^application\/(?:fhir\+json|json|json\+fhir)\s*(?:;|$)/i;

/** Answers are 2xx and say that they are JSON; all else is thrown as a `SourceFault`. Redirects are not followed. */
export function fhirClient(wire: Wire, base: string, credentials: Credentials): FhirClient {
  const send = async (
    method: 'GET' | 'POST',
    url: string,
    { maxBytes, body }: { maxBytes: number; body?: string },
  ): Promise<EgressAnswer> => {
    const authorization = await credentials.header();
    const headers = {
      accept: `${FHIR_JSON}, application/json;q=0.9`,
      ...(body !== undefined && { 'content-type': FHIR_JSON }),
      ...(authorization !== null && { authorization }),
    };
    return ask(wire, { method, url, headers, maxBytes, ...(body !== undefined && { body }) });
  };

  const checked = async (...request: Parameters<typeof send>): Promise<EgressAnswer> => {
    let answer = await send(...request);
    if (answer.status === 401 && credentials.renew()) answer = await send(...request);
    if (answer.status < 200 || answer.status > 299) throw faultOfStatus(answer, wire.clock.now());
    if (!IS_JSON.test(answer.headers['content-type'] ?? ''))
      throw new SourceFault('not_fhir', { status: answer.status });
    return answer;
  };

  // Only addresses under the base are signed in at: whoever calls with another one has made a mistake.
  const under = (path: string): string => {
    const url = path.startsWith('/') ? base + path : path;
    if (!isUnder(base, url)) throw new SourceFault('paging_elsewhere');
    return url;
  };

  return {
    base,
    get: (path, maxBytes) => checked('GET', under(path), { maxBytes }),
    post: (path, body) =>
      checked('POST', under(path), { maxBytes: wire.limits.answerBytes, body: JSON.stringify(body) }),
  };
}

/** The same origin, and the base's path or one below it; WHATWG has resolved dots by then. */
export function isUnder(base: string, url: string): boolean {
  const [root, asked] = [URL.parse(base), URL.parse(url)];
  if (root === null || asked === null || asked.origin !== root.origin) return false;
  if (asked.username !== '' || asked.password !== '') return false;
  const path = root.pathname.replace(/\/$/, '');
  return asked.pathname === path || asked.pathname.startsWith(`${path}/`);
}

/** The JSON of a small answer; throws `not_fhir`. */
export function jsonOf({ body, status }: EgressAnswer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\u{FEFF}/u, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new SourceFault('not_fhir', { status });
}
