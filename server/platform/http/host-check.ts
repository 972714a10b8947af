import type { onRequestAsyncHookHandler } from 'fastify';
import type { UrlMatcher } from './cors.ts';
import { Refusal } from '../kernel/refusal.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Paths that answer whatever the Host says: load balancers and orchestrators probe by address. */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Refuses requests whose Host, or whose page's Origin, is not ours: a page whose name was rebound to this address would
 * otherwise read what this machine serves. Loopback names are interchangeable, on any port. Endpoints that are open to
 * pages of any origin are checked by their Host alone.
 */
export function createHostCheck(
  allowedHosts: readonly string[],
  isOpenUrl: UrlMatcher,
): onRequestAsyncHookHandler {
  const names = new Set(allowedHosts.map(toHostname));
  if ([...names].some((name) => LOOPBACK.has(name))) LOOPBACK.forEach((name) => names.add(name));
  return async (request) => {
    if (PROBES.has(request.url)) return;
    const { host, origin } = request.headers;
    if (!host || !names.has(toHostname(host))) throw hostNotAllowed('Host');
    if (origin === undefined || isOpenUrl(request.url)) return;
    if (!names.has(toHostname(origin.replace(/^https?:\/\//, '')))) throw hostNotAllowed('Origin');
  };
}

const toHostname = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');

const hostNotAllowed = (header: string): Refusal =>
  new Refusal(403, 'host_not_allowed', {
    detail: `The ${header} header names a host that this service does not answer for.`,
  });
