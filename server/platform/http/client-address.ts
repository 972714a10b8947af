import net from 'node:net';
import ipaddr from 'ipaddr.js';

/** Length of the IPv6 prefix that a provider assigns to a subscriber, who can change the remaining bits at will. */
const SUBSCRIBER_BITS = 64;

/**
 * Returns the key by which limits count a client: its IPv4 address, or the network of its IPv6 address, without the port that some
 * proxies write. A socket that the client has closed no longer knows it, whatever the type of `request.ip` says: those count as
 * one, and so do all whose address a proxy does not say (`unknown`, RFC 7239 §6): a text of the client's own choice is no key.
 */
export function normalizeClientAddress(ip: string | undefined): string {
  if (ip === undefined) return 'gone';
  const address = parseForwardedAddress(ip);
  if (address === null) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  const { parts } = address as ipaddr.IPv6;
  return ipaddr.IPv6.networkAddressFromCIDR(
    `${new ipaddr.IPv6(parts).toString()}/${SUBSCRIBER_BITS}`,
  ).toString();
}

/** Parses an address of `X-Forwarded-For`: `192.0.2.7`, `2001:db8::1`, each with a port too, an IPv6 address then in brackets. */
function parseForwardedAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.replace(/^\[([^\]]*)\](:\d*)?$/, '$1');
  const address = net.isIP(bare) === 0 ? bare.replace(/:\d+$/, '') : bare;
  return net.isIP(address) === 0 ? null : ipaddr.process(address);
}

/**
 * Creates the test of whether an address is one of our proxies, also where the proxy before it wrote the address with a port:
 * else all who come through it would count as one.
 */
export function createProxyTrust(ranges: readonly string[]): (address: string | undefined) => boolean {
  const networks = ranges.map(parseRange);
  return (text) => {
    const address = text === undefined ? null : parseForwardedAddress(text);
    return (
      address !== null &&
      networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
    );
  };
}

/** An IPv4 network that is mapped into IPv6 is that network. */
function parseRange(range: string): [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number] {
  const address = ipaddr.isValid(range) ? ipaddr.parse(range) : null;
  const [network, bits] = address ? [address, address.kind() === 'ipv4' ? 32 : 128] : ipaddr.parseCIDR(range);
  if (network.kind() === 'ipv6' && (network as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96)
    return [(network as ipaddr.IPv6).toIPv4Address(), bits - 96];
  return [network, bits];
}
