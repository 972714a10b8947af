import { LRUCache } from 'lru-cache';
import type { Egress } from '../../egress/egress.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Db } from '../../storage/db.ts';
import { clientDocuments, isDocumentUrl } from './client-document.ts';
import { markClientUsed } from './clients.sql.ts';
import type { Client } from './client.ts';
import { findClient } from './find-client.ts';
import { perMinute } from '../limits.ts';

export interface ClientDirectory {
  /** A registered client, or one named by its document; fetching that counts against the address that asks. */
  find(clientId: string, address: string): Promise<Client | null>;
  /** Whether a client id can be somebody's, without fetching anything. */
  exists(clientId: string): Promise<boolean>;
  /** It asked for an authorization. */
  used(clientId: string): Promise<void>;
}

interface Settings {
  /** Clients may be named by their document. */
  enabled: boolean;
  /** Fetches a minute for one address. */
  fetches: number;
}

/** Requests of one client would wait for each other's write of the same row; once an hour is enough. */
const MARKED_MS = 3600 * 1000;

export function clientDirectory(
  { db, clock, egress }: { db: Db; clock: Clock; egress: Egress },
  { enabled, fetches }: Settings,
): ClientDirectory {
  const documents = clientDocuments({ egress, clock, enabled });
  const limit = perMinute(fetches);
  const marked = new LRUCache<string, true>({ max: 10_000, ttl: MARKED_MS });
  return {
    find: (clientId, address) => findClient({ db, documents, spend: () => limit(address) }, clientId),
    async exists(clientId) {
      if (isDocumentUrl(clientId)) return enabled;
      return (await findClient({ db, documents, spend: () => {} }, clientId)) !== null;
    },
    async used(clientId) {
      if (isDocumentUrl(clientId) || marked.has(clientId)) return;
      await db.query(markClientUsed(clientId, clock.now()));
      marked.set(clientId, true);
    },
  };
}
