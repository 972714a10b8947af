import dns from 'node:dns/promises';
import net from 'node:net';
import { EgressFailed, EgressRefused, failureOf } from './egress-error.ts';
import { exchange } from './exchange.ts';
import type { EgressAnswer, EgressRequest, ResolvedAddress } from './request.ts';
import { isPublicAddress, isPublicOrOwnAddress } from './public-address.ts';
import { targetOf, type Target } from './target.ts';

export interface Egress {
  /** Throws `EgressRefused` when the guard says no, `EgressFailed` when the network or the other side does. */
  request(request: EgressRequest): Promise<EgressAnswer>;
}

interface Options {
  resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
  permits?: (address: string, allowPrivate: boolean) => boolean;
  /** PEM; in place of the system's authorities. */
  ca?: string;
}

/**
 * Requests to addresses that others name. A name is resolved once, every address it has must pass, and only what was
 * checked is connected to, so no second DNS answer can lead elsewhere. A `lookup` alone would not do: node never asks
 * it for literal addresses. No proxy is used: it would resolve the name anew.
 */
export function egress({ resolve = resolveAll, permits = isPermitted, ca }: Options = {}): Egress {
  const checked = async ({ host, isAddress }: Target, allowPrivate: boolean): Promise<ResolvedAddress[]> => {
    const family = net.isIPv6(host) ? 6 : 4;
    const addresses = isAddress ? [{ address: host, family } as const] : await resolved(resolve, host);
    if (!addresses.every(({ address }) => permits(address, allowPrivate))) {
      throw new EgressRefused('address_not_public');
    }
    return [...addresses];
  };
  return {
    async request(request) {
      const allowPrivate = request.allowPrivate ?? false;
      const target = targetOf(request.url, allowPrivate);
      return before(request.timeoutMs, async (signal) => {
        const addresses = await checked(target, allowPrivate);
        signal.throwIfAborted();
        return exchange(request, { target, addresses, ca, signal });
      });
    },
  };
}

/** getaddrinfo: hosts files and search domains count, as for every other program of the machine. */
const resolveAll = async (host: string): Promise<readonly ResolvedAddress[]> =>
  (await dns.lookup(host, { all: true })) as ResolvedAddress[];

const isPermitted = (address: string, allowPrivate: boolean): boolean =>
  allowPrivate ? isPublicOrOwnAddress(address) : isPublicAddress(address);

async function resolved(
  resolve: NonNullable<Options['resolve']>,
  host: string,
): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0) throw new EgressFailed('name_not_resolved');
  return addresses;
}

/** `work`, or `deadline`: getaddrinfo cannot be aborted, so it is not waited for. */
async function before<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new EgressFailed('deadline'));
    controller.abort();
  }, timeoutMs);
  try {
    return await Promise.race([work(controller.signal), late]);
  } catch (error) {
    throw failureOf(error);
  } finally {
    clearTimeout(timer);
  }
}
