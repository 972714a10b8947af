import type { onRequestAsyncHookHandler } from 'fastify';
import type { UrlMatcher } from './cors.ts';
import { LOOPBACK_NAMES } from './base-url.ts';
import { isProgramPath } from './error-page.ts';
import { Refusal } from '../kernel/refusal.ts';

/** Paths that answer whatever the Host says: load balancers and orchestrators probe by address. */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Refuses requests whose Host, or whose page's Origin, is not ours: a page whose name was rebound to this address would
 * otherwise read what this machine serves. Our pages are served under loopback names too, which nobody can rebind: they move
 * from there to their own address. Endpoints that are open to pages of any origin are checked by their Host alone.
 */
export function createHostCheck(
  allowedHosts: readonly string[],
  isOpenUrl: UrlMatcher,
): onRequestAsyncHookHandler {
  const names = new Set(allowedHosts.map(toHostname));
  if (LOOPBACK_NAMES.some((name) => names.has(name))) LOOPBACK_NAMES.forEach((name) => names.add(name));
  return async (request) => {
    const repeated = findRepeatedHeader(request.raw.rawHeaders);
    if (repeated !== null)
      throw new Refusal(400, 'repeated_header', { detail: `The request has two ${repeated} headers.` });
    if (PROBES.has(request.url)) return;
    const { host, origin } = request.headers;
    const name = toHostname(host ?? '');
    const isPageHere = LOOPBACK_NAMES.includes(name) && !isProgramPath(request.url);
    if (!names.has(name) && !isPageHere) throw hostNotAllowed('Host');
    const target = ABSOLUTE_FORM.exec(request.originalUrl)?.[1];
    if (target !== undefined && toHostname(target) !== name) throw hostNotAllowed('Host');
    if (origin === undefined || isOpenUrl(request.url)) return;
    if (!names.has(toHostname(origin.replace(/^https?:\/\//, '')))) throw hostNotAllowed('Origin');
  };
}

/** RFC 9112 §3.2.2: the host that a request is meant for, whatever its Host says; a proxy may have checked either. */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

/**
 * Headers that a request has once (RFC 9112 §3.2 demands 400 for a second Host). Node keeps the first and drops the others,
 * while a proxy in front may have checked the last: the two would then speak of different hosts, callers or origins.
 */
const SINGLE_HEADERS: ReadonlySet<string> = new Set(['host', 'authorization', 'origin', 'content-type']);

/** Returns the name of a header of `SINGLE_HEADERS` that comes twice; null when none does. */
function findRepeatedHeader(rawHeaders: readonly string[]): string | null {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (seen.has(name) && SINGLE_HEADERS.has(name)) return name;
    seen.add(name);
  }
  return null;
}

const toHostname = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');

const hostNotAllowed = (header: string): Refusal =>
  new Refusal(403, 'host_not_allowed', {
    detail: `The ${header} header names a host that this service does not answer for. Its operator names them by CHARTGATE_BASE_URL and CHARTGATE_ALLOWED_HOSTS.`,
  });
