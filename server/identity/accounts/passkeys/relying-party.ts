import net from 'node:net';
import { Refusal } from '../../../platform/kernel/refusal.ts';

/** Who passkeys are made for (WebAuthn §5.4.2), and the pages that may ask for one. */
export interface RelyingParty {
  id: string;
  origins: string[];
}

/** null: no browser makes a passkey for the address of our page, an IP address or one that is not reached by https (§5.1.3, step 8; §7). */
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
    detail: 'Passkeys need a host name and https; this address has not got both.',
  });
}
