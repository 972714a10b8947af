import { LRUCache } from 'lru-cache';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { limitPerMinute } from '../rate-limits.ts';
import { createClientDocuments, isDocumentUrl, type ClientDocuments } from './client-document.ts';
import { readClientAbout } from './client-about.ts';
import type { Client } from './client-metadata.ts';
import { deleteUnusedClients, markClientUsed, selectClient } from './clients.sql.ts';

export interface ClientDirectory {
  /** Finds a registered client, or one named by its document; a fetch counts against the requesting address. */
  find(clientId: string, address: string): Promise<Client | null>;
  /** Whether a client with this id can exist; fetches nothing. */
  exists(clientId: string): Promise<boolean>;
  /** Records that the client requested an authorization. */
  markUsed(clientId: string): Promise<void>;
}

interface DirectoryOptions {
  /** Accepts the URL of a metadata document as a client id. */
  enabled: boolean;
  /** Fetches per minute for one address. */
  fetchesPerMinute: number;
}

/** Concurrent requests of a client would wait for each other's write of its row; once an hour is enough. */
const MARK_INTERVAL_MS = 3600 * 1000;

export function createClientDirectory(
  { db, clock, outbound }: { db: Db; clock: Clock; outbound: OutboundClient },
  { enabled, fetchesPerMinute }: DirectoryOptions,
): ClientDirectory {
  const documents = createClientDocuments({ outbound, clock, enabled });
  const limit = limitPerMinute('client_metadata', fetchesPerMinute);
  const recentlyMarked = new LRUCache<string, true>({ max: 10_000, ttl: MARK_INTERVAL_MS });
  return {
    find: (clientId, address) => findClient({ db, documents, consumeQuota: () => limit(address) }, clientId),
    async exists(clientId) {
      if (isDocumentUrl(clientId)) return enabled;
      return REGISTERED_CLIENT_ID.test(clientId) && (await maybeOne(db, selectClient(clientId))) !== null;
    },
    async markUsed(clientId) {
      if (isDocumentUrl(clientId) || recentlyMarked.has(clientId)) return;
      await db.query(markClientUsed(clientId, clock.now()));
      recentlyMarked.set(clientId, true);
    },
  };
}

interface FindDeps {
  db: Db;
  documents: ClientDocuments;
  /** Runs before a document is fetched; throws when the requester has used up its quota. */
  consumeQuota(): Promise<void> | void;
}

/** The spelling that registration issues: another spelling of the same UUID is no client's id. */
const REGISTERED_CLIENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export async function findClient(
  { db, documents, consumeQuota }: FindDeps,
  clientId: string,
): Promise<Client | null> {
  if (!REGISTERED_CLIENT_ID.test(clientId)) return documents.find(clientId, consumeQuota);
  const row = await maybeOne(db, selectClient(clientId));
  return (
    row && {
      clientId: row.client_id,
      name: row.client_name,
      host: null,
      redirectUris: row.redirect_uris,
      grantTypes: row.grant_types,
      scope: row.scope,
      about: readClientAbout(row.about),
    }
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a registered client has to request its first authorization. */
const UNUSED_RETENTION_MS = 30 * DAY_MS;

/** Of those that are older than a day, the newest so many are kept: a flood leaves no more rows for a month than for a day. */
const MAX_UNUSED = 20_000;

/** Deletes registered clients that never requested an authorization. */
export async function purgeClients(
  { db, clock }: { db: Db; clock: Clock },
  maxUnused = MAX_UNUSED,
): Promise<void> {
  const ago = (ms: number): Date => new Date(clock.now().getTime() - ms);
  await db.query(
    deleteUnusedClients({ issuedBefore: ago(UNUSED_RETENTION_MS), crowdedBefore: ago(DAY_MS), maxUnused }),
  );
}
