import ipaddr from 'ipaddr.js';

/** Length of the IPv6 prefix that a provider assigns to a subscriber, who can change the remaining bits at will. */
const SUBSCRIBER_BITS = 64;

/**
 * Returns the key by which limits count a client: its IPv4 address, or the network of its IPv6 address. A socket that the client
 * has closed no longer knows it, whatever the type of `request.ip` says: those count as one.
 */
export function normalizeClientAddress(ip: string | undefined): string {
  if (ip === undefined) return 'gone';
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${SUBSCRIBER_BITS}`).toString();
}
