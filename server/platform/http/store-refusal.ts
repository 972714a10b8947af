import { StoreError } from '../db/store-error.ts';
import { Refusal } from '../kernel/refusal.ts';

/** Seconds: a server that was restarted answers again within a few. */
const RETRY_AFTER = { 'retry-after': '5' };

/** Returns the refusal of a request whose store is away or full; null for any other error. */
export function toStoreRefusal(error: unknown): Refusal | null {
  if (!(error instanceof StoreError)) return null;
  const reason = error.message;
  switch (error.outcome) {
    case 'unchanged':
      return new Refusal(503, 'store_unavailable', {
        detail: 'The store does not answer; try again in a few seconds.',
        headers: RETRY_AFTER,
        reason,
      });
    case 'unknown':
      return new Refusal(503, 'outcome_unknown', {
        detail:
          'The connection to the store was lost while the change was being stored: it is not known whether it was made. ' +
          'Read (GET) what was to be changed, and send the request again only if it was not.',
        headers: RETRY_AFTER,
        reason,
      });
    case 'full':
      return new Refusal(507, 'store_full', {
        detail: 'The store is full; nothing was changed.',
        headers: { 'retry-after': '300' },
        reason,
      });
    default:
      throw new Error(`unknown outcome ${String(error.outcome satisfies never)}`);
  }
}
