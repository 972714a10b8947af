import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that one subscriber has: within them it can change its address at will. */
const SUBSCRIBER_BITS = 64;

/** What limits are counted by: the IPv4 address, or the network of an IPv6 one. */
export function normalizeClientAddress(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${SUBSCRIBER_BITS}`).toString();
}
