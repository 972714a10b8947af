import net from 'node:net';
import { createTransport, type Transporter } from 'nodemailer';
import { findTranslatedAddress, isPublicAddress } from '../outbound/guard.ts';
import { createNameResolver, type Resolve } from '../outbound/resolve-name.ts';

interface SmtpOptions {
  resolve?: Resolve;
  isPublic?: (address: string) => boolean;
}

interface SmtpServer {
  url: string;
  servername?: string;
  requireTLS?: boolean;
}

const reachesInternet = (address: string): boolean =>
  isPublicAddress(findTranslatedAddress(address) ?? address);

/**
 * Returns a function that opens a transport to the mail server. Mails hold links that open accounts, and STARTTLS alone is what
 * the server, or whoever answers for it, offers: without TLS they go to a private network only, to the address that was looked
 * at. `?requireTLS=` or `?ignoreTLS=` in the URL is the operator's own word.
 */
export function createSmtpTransport(
  smtpUrl: string,
  { resolve = createNameResolver(), isPublic = reachesInternet }: SmtpOptions = {},
): (options?: object) => Promise<Transporter> {
  const url = new URL(smtpUrl);
  const isDecided =
    url.protocol === 'smtps:' || url.searchParams.has('requireTLS') || url.searchParams.has('ignoreTLS');
  const find = async (): Promise<SmtpServer> => {
    if (isDecided) return { url: smtpUrl };
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const isAddress = net.isIP(host) !== 0;
    const addresses = isAddress ? [host] : (await resolve(host)).map(({ address }) => address);
    const address = addresses[Math.floor(Math.random() * addresses.length)];
    if (address === undefined || addresses.some(isPublic)) return { url: smtpUrl, requireTLS: true };
    const pinned = new URL(smtpUrl);
    pinned.hostname = net.isIPv6(address) ? `[${address}]` : address;
    return { url: pinned.href, ...(!isAddress && { servername: host }) };
  };
  return async (options = {}) => createTransport({ ...options, ...(await find()) });
}
