import type { FastifyRequest } from 'fastify';

/** The names that a client on the same machine may call the service by. */
export const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** Whether a host, of a URL or to listen on, is this machine alone: any address of 127.0.0.0/8 as well. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK_HOST.test(host);

/**
 * Returns the base URL under every name of it: a loopback one has all loopback names, on the same port, because clients
 * compare the name that they called with the one in the metadata (RFC 8414 §3.3, RFC 9728 §3.3). The configured name is
 * the first.
 */
export function listBaseUrlAliases(baseUrl: string): string[] {
  const { hostname } = new URL(baseUrl);
  if (!LOOPBACK_NAMES.includes(hostname)) return [baseUrl];
  const others = LOOPBACK_NAMES.filter((name) => name !== hostname);
  return [baseUrl, ...others.map((name) => baseUrl.replace(`//${hostname}`, `//${name}`))];
}

/** Returns an address below one base URL as the same address below another, and any other address as it is. */
export const moveToBaseUrl = (url: string, { from, to }: { from: string; to: string }): string =>
  url === from || url.startsWith(`${from}/`) ? to + url.slice(from.length) : url;

/** Returns an address of ours under the configured name, and any other one as it is. */
export const canonicalizeUrl = (baseUrl: string, url: string): string =>
  listBaseUrlAliases(baseUrl).reduce(
    (moved, alias) => moveToBaseUrl(moved, { from: alias, to: baseUrl }),
    url,
  );

export type ResolveBaseUrl = (request: Pick<FastifyRequest, 'headers'>) => string;

/** Creates a function that returns the base URL under the name that a request was addressed to. */
export function createBaseUrlResolver(baseUrl: string): ResolveBaseUrl {
  const byHost = new Map(listBaseUrlAliases(baseUrl).map((alias) => [new URL(alias).host, alias]));
  return ({ headers: { host = '' } }) => byHost.get(host.toLowerCase()) ?? baseUrl;
}
