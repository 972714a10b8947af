import net from 'node:net';
import { OutboundRefusedError } from './outbound-error.ts';

export interface Target {
  url: URL;
  /** As `connect` takes it: an IPv6 literal without its brackets. */
  host: string;
  isAddress: boolean;
}

/** The URL that somebody named, if it may be asked at all; what its name resolves to is checked later. */
export function parseTarget(text: string, allowPrivate: boolean): Target {
  // `new URL` drops tabs and line ends and turns backslashes: who reads the text would see another host than we ask.
  if (/[\p{Cc} \\]/u.test(text)) throw new OutboundRefusedError('invalid_url');
  const url = URL.parse(text);
  if (url === null) throw new OutboundRefusedError('invalid_url');
  if (url.protocol !== 'https:') throw new OutboundRefusedError('not_https');
  if (url.username !== '' || url.password !== '') throw new OutboundRefusedError('credentials_in_url');
  // WHATWG has normalised the host by now: 127.1, 0x7f000001 and ０ are addresses here.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAddress = net.isIP(host) !== 0;
  if (!isAddress && !allowPrivate && !canBePublic(host)) throw new OutboundRefusedError('host_not_public');
  return { url, host, isAddress };
}

/**
 * RFC 6761 §6.3 for localhost; a name without a dot is completed by the resolver's search list, into our own domain.
 * With a last dot no certificate is issued.
 */
const canBePublic = (host: string): boolean =>
  host.includes('.') && !host.endsWith('.') && !host.endsWith('.localhost');
