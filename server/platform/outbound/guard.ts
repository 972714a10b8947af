import net from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { readMonotonicMs } from '../kernel/clock.ts';
import { OutboundFailedError, OutboundRefusedError, type RefusalReason } from './request.ts';
import { createNameResolver, type Resolve, type ResolvedAddress } from './resolve-name.ts';

export interface Target {
  url: URL;
  /** As `connect` takes it: an IPv6 literal without its brackets. */
  host: string;
  isAddress: boolean;
  allowPrivate: boolean;
  /** Without TLS, so in a private network only. */
  isPlain: boolean;
}

/** Parses a URL that somebody else named; throws `OutboundRefusedError` when no request may ever go to it. */
export function parseTarget(text: string, allowPrivate: boolean, allowPlain = false): Target {
  // `new URL` drops tabs and line ends and turns backslashes: a person would read another host than is requested.
  if (/[\p{Cc} \\]/u.test(text)) throw new OutboundRefusedError('invalid_url');
  const url = URL.parse(text);
  if (url === null) throw new OutboundRefusedError('invalid_url');
  const isPlain = allowPlain && url.protocol === 'http:';
  if (url.protocol !== 'https:' && !isPlain) throw new OutboundRefusedError('not_https');
  if (url.username !== '' || url.password !== '') throw new OutboundRefusedError('credentials_in_url');
  // WHATWG has normalised the host by now: 127.1, 0x7f000001 and ０ are addresses here.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAddress = net.isIP(host) !== 0;
  if (url.port === '0' || (!isAddress && !canBeResolved(host))) throw new OutboundRefusedError('invalid_url');
  if (!isAddress && !allowPrivate && !canBePublic(host)) throw new OutboundRefusedError('host_not_public');
  return { url, host, isAddress, allowPrivate, isPlain };
}

/** RFC 1035 §3.1, §2.3.4: no name server can be asked for an empty label, nor for one of more than 63 characters. */
const canBeResolved = (host: string): boolean =>
  host.length <= 254 && /^[^.]{1,63}(\.[^.]{1,63})*\.?$/.test(host);

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
  return async ({ host, isAddress, allowPrivate, isPlain }) => {
    const addresses = isAddress
      ? [{ address: host, family: net.isIPv6(host) ? 6 : 4 } as const]
      : await resolve(host).catch(() => []);
    if (addresses.length === 0) throw new OutboundFailedError('name_not_resolved');
    const translated = addresses.map(({ address }) => (isAddress ? null : findTranslatedAddress(address)));
    // A translator hands on what the internet can reach alone (RFC 6052 §3.1), whatever else is permitted.
    const isAllowed = ({ address }: ResolvedAddress, at: number): boolean =>
      permits(translated[at] ?? address, translated[at] === null && allowPrivate);
    if (!addresses.every(isAllowed)) throw new OutboundRefusedError('address_not_public');
    if (isPlain && addresses.some(({ address }, at) => isPublicAddress(translated[at] ?? address)))
      throw new OutboundRefusedError('not_https');
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

/** RFC 4291 §2.4 as IANA assigned it: no address outside is public, whatever name ipaddr.js has for its range. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Serves metadata to every Azure machine, as 169.254.169.254 does elsewhere, and looks public. */
const AZURE_PLATFORM = '168.63.129.16';

/** RFC 6052 §2.1. */
const NAT64_PREFIX = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Returns the IPv4 address that is reached by an address which a name server made of it (DNS64, RFC 6147), or null: in a network
 * of IPv6 alone each name has one beside, or in place of, what was published.
 */
export function findTranslatedAddress(address: string): string | null {
  const parsed = parseAddress(address);
  if (parsed?.kind() !== 'ipv6' || !parsed.match(NAT64_PREFIX)) return null;
  return new ipaddr.IPv4(parsed.toByteArray().slice(12)).toString();
}

/**
 * Whether an address belongs to the public internet. Those that carry an IPv4 address (mapped, compatible, 6to4, Teredo,
 * NAT64) are not, whatever they carry: nobody publishes such an address for a name.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null || parsed.range() !== 'unicast' || address === AZURE_PLATFORM) return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}

/** Addresses within private networks that hand out credentials of machines: AWS over IPv6, Alibaba. */
const CLOUD_METADATA: ReadonlySet<string> = new Set(['fd00:ec2::254', '100.100.100.200']);

const PRIVATE_NETWORKS: ReadonlySet<string> = new Set([
  'private',
  'uniqueLocal',
  'carrierGradeNat',
  'loopback',
]);

/** Whether an address is public or in a private network; link-local stays closed, for that is where clouds hand out credentials. */
export function isPublicOrPrivateAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null || CLOUD_METADATA.has(parsed.toString())) return false;
  return isPublicAddress(address) || PRIVATE_NETWORKS.has(parsed.range());
}

/** Whether a request may go to an address. */
export const isPermitted = (address: string, allowPrivate: boolean): boolean =>
  allowPrivate ? isPublicOrPrivateAddress(address) : isPublicAddress(address);

/** ipaddr.js reads more spellings than `connect` does (octal, hex, few parts, zones); only the plain ones pass. */
function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return net.isIP(address) === 0 || address.includes('%') ? null : ipaddr.parse(address);
}
