import { readMonotonicMs } from '../kernel/clock.ts';

/** While the store takes no writes its sessions are opened anew once in so many milliseconds, whatever many writes ask. */
const RENEW_MS = 1_000;

/**
 * Creates a function that renews all sessions, unless it did so just now, and says whether it did. A session that began while the
 * server or the database took no writes (`default_transaction_read_only`, a standby) goes on so for as long as it lives: kept, such
 * sessions refused writes for good after the server took them again.
 */
export function createSessionRenewal(renew: () => void): () => boolean {
  let renewedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = readMonotonicMs();
    if (now - renewedAt < RENEW_MS) return false;
    renewedAt = now;
    renew();
    return true;
  };
}
