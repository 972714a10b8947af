import net from 'node:net';
import ipaddr from 'ipaddr.js';

/** RFC 4291 §2.4 as IANA assigned it: no address outside is public, whatever name ipaddr.js has for its range. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Serves metadata to every Azure machine, as 169.254.169.254 does elsewhere, and looks public. */
const AZURE_PLATFORM = '168.63.129.16';

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
