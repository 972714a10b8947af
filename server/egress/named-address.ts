import { EgressRefused, type RefusedBecause } from './egress-error.ts';
import { isPermitted } from './public-address.ts';
import { targetOf } from './target.ts';

/**
 * Why an address is never asked, as far as that shows in it; null for one that may be. For those who name it, to be told
 * at once: what its name resolves to is checked at each request.
 */
export function neverAsked(text: string, allowPrivate: boolean): RefusedBecause | null {
  try {
    const { host, isAddress } = targetOf(text, allowPrivate);
    return isAddress && !isPermitted(host, allowPrivate) ? 'address_not_public' : null;
  } catch (error) {
    if (error instanceof EgressRefused) return error.reason;
    throw error;
  }
}
