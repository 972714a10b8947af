import type { Clock } from '../../../platform/kernel/clock.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import type { Client } from './client.ts';
import type { ClientDocuments } from './client-document.ts';
import { selectClient, deleteUnusedClients } from './clients.sql.ts';

interface Deps {
  db: Db;
  documents: ClientDocuments;
  /** Asked before a document is fetched; throws when whoever asks has had enough. */
  consumeQuota(): Promise<void> | void;
}

/** As we issue them: another spelling of the same UUID is another text, and nobody's id. */
const REGISTERED_CLIENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export async function findClient(
  { db, documents, consumeQuota }: Deps,
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
    }
  );
}

/** Milliseconds within which a registered client must have asked for its first authorization. */
const UNUSED_RETENTION_MS = 24 * 60 * 60 * 1000;

export async function purgeClients({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteUnusedClients(new Date(clock.now().getTime() - UNUSED_RETENTION_MS)));
}
