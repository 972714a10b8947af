import { OutboundRefusedError, type RefusalReason } from './outbound-error.ts';
import { isPermitted } from './public-address.ts';
import { parseTarget } from './target.ts';

/**
 * Why an address is never asked, as far as that shows in it; null for one that may be. For those who name it, to be told
 * at once: what its name resolves to is checked at each request.
 */
export function validateUrl(text: string, allowPrivate: boolean): RefusalReason | null {
  try {
    const { host, isAddress } = parseTarget(text, allowPrivate);
    return isAddress && !isPermitted(host, allowPrivate) ? 'address_not_public' : null;
  } catch (error) {
    if (error instanceof OutboundRefusedError) return error.reason;
    throw error;
  }
}
