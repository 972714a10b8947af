import net from 'node:net';
import ipaddr from 'ipaddr.js';

/** What ends in a number is an IPv4 address or nothing: 999.1.1.1 (https://url.spec.whatwg.org/#ends-in-a-number-checker). */
const isHostName = (text: string): boolean =>
  /^[a-z\d]([\w.-]*[a-z\d])?$/i.test(text) && URL.canParse(`http://${text}`);

/** An IP address or a host name, without brackets and without a port. */
export const isHost = (text: string): boolean => net.isIP(text) !== 0 || isHostName(text);

/** `host` or `host:port`, as the Host header has it. */
export function isAuthority(text: string): boolean {
  const [, address, name = ''] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return address === undefined ? isHostName(name) : net.isIPv6(address);
}

/** An address or a network. One of all addresses would trust every client to say where it comes from. */
export function isAddressRange(text: string): boolean {
  const [address = '', length] = text.split('/');
  // The library reads 1.2.3 as 1.2.0.3, as programs of long ago did: what was meant as a network would be one machine.
  if (net.isIP(address) === 0) return false;
  return length === undefined || (ipaddr.isValidCIDR(text) && Number(length) !== 0);
}

/** `a@b`, or `Name <a@b>`. */
export const isMailbox = (text: string): boolean =>
  /^([^<>@\s]+@[^<>@\s]+|[^<>]*<[^<>@\s]+@[^<>@\s]+>)$/.test(text);
