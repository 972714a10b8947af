import { LRUCache } from 'lru-cache';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Db } from '../../../platform/db/db.ts';
import { createClientDocuments, isDocumentUrl } from './client-document.ts';
import { markClientUsed } from './clients.sql.ts';
import type { Client } from './client.ts';
import { findClient } from './find-client.ts';
import { limitPerMinute } from '../rate-limits.ts';

export interface ClientDirectory {
  /** A registered client, or one named by its document; fetching that counts against the address that asks. */
  find(clientId: string, address: string): Promise<Client | null>;
  /** Whether a client id can be somebody's, without fetching anything. */
  exists(clientId: string): Promise<boolean>;
  /** It asked for an authorization. */
  markUsed(clientId: string): Promise<void>;
}

interface DirectoryOptions {
  /** Clients may be named by their document. */
  enabled: boolean;
  /** Fetches a minute for one address. */
  fetchesPerMinute: number;
}

/** Requests of one client would wait for each other's write of the same row; once an hour is enough. */
const MARK_INTERVAL_MS = 3600 * 1000;

export function createClientDirectory(
  { db, clock, outbound }: { db: Db; clock: Clock; outbound: OutboundClient },
  { enabled, fetchesPerMinute }: DirectoryOptions,
): ClientDirectory {
  const documents = createClientDocuments({ outbound, clock, enabled });
  const limit = limitPerMinute(fetchesPerMinute);
  const recentlyMarked = new LRUCache<string, true>({ max: 10_000, ttl: MARK_INTERVAL_MS });
  return {
    find: (clientId, address) => findClient({ db, documents, consumeQuota: () => limit(address) }, clientId),
    async exists(clientId) {
      if (isDocumentUrl(clientId)) return enabled;
      return (await findClient({ db, documents, consumeQuota: () => {} }, clientId)) !== null;
    },
    async markUsed(clientId) {
      if (isDocumentUrl(clientId) || recentlyMarked.has(clientId)) return;
      await db.query(markClientUsed(clientId, clock.now()));
      recentlyMarked.set(clientId, true);
    },
  };
}
