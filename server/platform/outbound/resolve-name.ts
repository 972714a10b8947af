import dns, { Resolver } from 'node:dns/promises';
import type { Resolve } from './guard.ts';
import type { ResolvedAddress } from './request.ts';

/** Two questions, within what a request has. */
const QUERY_OPTIONS = { timeout: 1500, tries: 2 };

/** How long the other family of addresses is waited for when one has answered. */
const OTHER_FAMILY_MS = 500;

interface Options {
  /** In place of the system's. */
  servers?: readonly string[];
  /** Milliseconds, and how often. */
  queryOptions?: { timeout: number; tries: number };
  lookup?: Resolve;
}

/**
 * Asks name servers without a thread for each question: getaddrinfo has four threads, shared with hashing of passwords,
 * and a server that never answers would keep one for as long as it likes. What the servers do not know is asked of
 * getaddrinfo, one name at a time, for files of hosts and search domains count as for every other program.
 */
export function createNameResolver({
  servers,
  queryOptions = QUERY_OPTIONS,
  lookup = getaddrinfo,
}: Options = {}): Resolve {
  const resolver = new Resolver(queryOptions);
  if (servers) resolver.setServers(servers);
  let last: Promise<unknown> = Promise.resolve();
  return async (host) => {
    // No name server knows it.
    if (!host.includes('.')) return lookup(host);
    const addresses = await queryNameServers(resolver, host);
    if (addresses.length > 0) return addresses;
    const pending = last.then(() => lookup(host));
    last = pending.catch(() => {});
    return pending;
  };
}

const getaddrinfo: Resolve = async (host) => (await dns.lookup(host, { all: true })) as ResolvedAddress[];

async function queryNameServers(resolver: Resolver, host: string): Promise<ResolvedAddress[]> {
  const found: ResolvedAddress[] = [];
  const query = async (family: 4 | 6): Promise<void> => {
    const addresses = await (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host)).catch(
      () => [],
    );
    found.push(...addresses.map((address) => ({ address, family })));
    if (addresses.length === 0) throw new Error('none');
  };
  const both = [query(4), query(6)];
  const all = Promise.allSettled(both);
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const one = Promise.any(both).then(() => void setTimeout(resolve, OTHER_FAMILY_MS).unref());
  await Promise.race([all, one.catch(() => {}).then(() => late)]);
  return [...found];
}
