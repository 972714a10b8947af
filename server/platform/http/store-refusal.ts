import { isUndone, StoreError } from '../db/store-error.ts';
import { toLogMessage } from '../kernel/log-message.ts';
import { Refusal } from '../kernel/refusal.ts';

/** Seconds: a server that was restarted answers again within a few. */
const RETRY_AFTER = { 'retry-after': '5' };

/** Returns the refusal of a request whose store is away or full, or undid what it was asked; null for any other error. */
export function toStoreRefusal(error: unknown): Refusal | null {
  if (isUndone(error))
    return new Refusal(503, 'store_unavailable', {
      detail: 'The store did not finish what it was asked, and undid it; try again in a few seconds.',
      headers: RETRY_AFTER,
      reason: `the store undid it: ${toLogMessage(error)}`,
    });
  if (!(error instanceof StoreError)) return null;
  const reason = toLogMessage(error);
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
