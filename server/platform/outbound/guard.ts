import net from 'node:net';
import { LRUCache } from 'lru-cache';
import { readMonotonicMs } from '../kernel/clock.ts';
import { OutboundFailedError, OutboundRefusedError, type RefusalReason } from './outbound-error.ts';
import { isPermitted } from './public-address.ts';
import { createNameResolver, type Resolve, type ResolvedAddress } from './resolve-name.ts';

export interface Target {
  url: URL;
  /** As `connect` takes it: an IPv6 literal without its brackets. */
  host: string;
  isAddress: boolean;
  allowPrivate: boolean;
}

/** Parses a URL that somebody else named; throws `OutboundRefusedError` when no request may ever go to it. */
export function parseTarget(text: string, allowPrivate: boolean): Target {
  // `new URL` drops tabs and line ends and turns backslashes: a person would read another host than is requested.
  if (/[\p{Cc} \\]/u.test(text)) throw new OutboundRefusedError('invalid_url');
  const url = URL.parse(text);
  if (url === null) throw new OutboundRefusedError('invalid_url');
  if (url.protocol !== 'https:') throw new OutboundRefusedError('not_https');
  if (url.username !== '' || url.password !== '') throw new OutboundRefusedError('credentials_in_url');
  // WHATWG has normalised the host by now: 127.1, 0x7f000001 and ０ are addresses here.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAddress = net.isIP(host) !== 0;
  if (!isAddress && !allowPrivate && !canBePublic(host)) throw new OutboundRefusedError('host_not_public');
  return { url, host, isAddress, allowPrivate };
}

/**
 * RFC 6761 §6.3 for localhost; the resolver's search list would complete a name without a dot into our own domain. No
 * certificate is issued for a name that ends with a dot.
 */
const canBePublic = (host: string): boolean =>
  host.includes('.') && !host.endsWith('.') && !host.endsWith('.localhost');

/**
 * Returns why no request may ever go to a URL, as far as the URL itself shows it, or null: for an early answer to whoever
 * registers it. The addresses of its name are checked at each request.
 */
export function validateUrl(text: string, allowPrivate: boolean): RefusalReason | null {
  try {
    const { host, isAddress } = parseTarget(text, allowPrivate);
    return isAddress && !isPermitted(host, allowPrivate) ? 'address_not_public' : null;
  } catch (error) {
    if (error instanceof OutboundRefusedError) return error.reason;
    throw error;
  }
}

export interface GuardOptions {
  resolve?: Resolve;
  permits?: (address: string, allowPrivate: boolean) => boolean;
}

/** Resolves a target to its addresses, every one of which is permitted: nothing else is connected to. */
export type Guard = (target: Target) => Promise<readonly ResolvedAddress[]>;

export function createGuard({ resolve = createNameResolver(), permits = isPermitted }: GuardOptions): Guard {
  return async ({ host, isAddress, allowPrivate }) => {
    const addresses = isAddress
      ? [{ address: host, family: net.isIPv6(host) ? 6 : 4 } as const]
      : await resolve(host).catch(() => []);
    if (addresses.length === 0) throw new OutboundFailedError('name_not_resolved');
    if (!addresses.every(({ address }) => permits(address, allowPrivate)))
      throw new OutboundRefusedError('address_not_public');
    return addresses;
  };
}

export interface PermittedAddresses {
  addresses: readonly ResolvedAddress[];
  /** Equal for the same addresses in any order. */
  addressKey: string;
}

const MAX_NAMES = 1000;

/**
 * Shares an outcome of the guard among all who ask within `ttlMs` of its question; counted from the question, nobody
 * waits long for a lookup that hangs. A refusal or failure is shared only among those who waited for it. A known outcome
 * is no promise: reading addresses costs 1 to 4 µs each.
 */
export function createCachedGuard(
  guard: Guard,
  ttlMs: number,
): (target: Target) => PermittedAddresses | Promise<PermittedAddresses> {
  type Outcome = PermittedAddresses | Promise<PermittedAddresses>;
  const checks = new LRUCache<string, { at: number; outcome: Outcome }>({ max: MAX_NAMES });
  return (target) => {
    const key = `${target.host} ${target.allowPrivate}`;
    const at = readMonotonicMs();
    const known = checks.get(key);
    if (known && at - known.at < ttlMs) return known.outcome;
    const outcome = guard(target).then((addresses) => ({ addresses, addressKey: toAddressKey(addresses) }));
    const check: { at: number; outcome: Outcome } = { at, outcome };
    checks.set(key, check);
    outcome.then(
      (permitted) => (check.outcome = permitted),
      () => checks.peek(key) === check && checks.delete(key),
    );
    return outcome;
  };
}

const toAddressKey = (addresses: readonly ResolvedAddress[]): string =>
  addresses
    .map(({ address }) => address)
    .sort()
    .join(' ');
