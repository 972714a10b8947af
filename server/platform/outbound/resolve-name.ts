import dns, { Resolver } from 'node:dns/promises';
import { createSemaphore } from '../kernel/semaphore.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

/** Two queries fit into the time of a request. */
const QUERY_OPTIONS = { timeout: 1500, tries: 2 };

/** How long the addresses of the other family are waited for when one family has answered. */
const OTHER_FAMILY_MS = 500;

interface Options {
  /** Replaces the system's name servers. */
  servers?: readonly string[];
  /** Milliseconds, and how often. */
  queryOptions?: { timeout: number; tries: number };
  lookup?: Resolve;
}

/**
 * Returns a resolver that asks name servers without a thread for each query: getaddrinfo has four threads, shared with
 * the hashing of passwords, and a server that never answers would keep one for as long as it likes. Names that the
 * servers do not know go to getaddrinfo, one at a time, so that hosts files and search domains count as they do for
 * every other program.
 */
export function createNameResolver({
  servers,
  queryOptions = QUERY_OPTIONS,
  lookup = getaddrinfo,
}: Options = {}): Resolve {
  const resolver = new Resolver(queryOptions);
  if (servers) resolver.setServers(servers);
  const lookups = createSemaphore(1);
  return async (host) => {
    // No name server knows a name without a dot.
    if (!host.includes('.')) return lookup(host);
    const addresses = await queryNameServers(resolver, host);
    return addresses.length > 0 ? addresses : lookups.run(() => lookup(host));
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
