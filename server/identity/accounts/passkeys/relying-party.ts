import net from 'node:net';
import { Refusal } from '../../../platform/kernel/refusal.ts';

/** The relying party of passkeys (WebAuthn §5.4.2), and the origins of the pages that may request one. */
export interface RelyingParty {
  id: string;
  origins: string[];
}

/**
 * Returns null when the address of our page is an IP address or is not reached by https: no browser creates a passkey
 * for such a page (§5.1.3, step 8; §7).
 */
export function createRelyingParty({
  baseUrl,
  consentAppUrl,
}: {
  baseUrl: string;
  consentAppUrl: string;
}): RelyingParty | null {
  const { hostname, protocol } = new URL(consentAppUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = net.isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (isAddress || (protocol !== 'https:' && !isLocal)) return null;
  return { id: hostname, origins: [...new Set([baseUrl, consentAppUrl].map((url) => new URL(url).origin))] };
}

export function requireRelyingParty(party: RelyingParty | null): RelyingParty {
  if (party) return party;
  throw new Refusal(409, 'passkeys_impossible', {
    detail: 'Passkeys need a host name and https; this service is reached without one of them.',
  });
}
