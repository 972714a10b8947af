import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findDatabaseFault } from '../../server/platform/db/database-fault.ts';
import { one } from '../../server/platform/db/db.ts';
import { findPoolerFault } from '../../server/platform/db/pooler-fault.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';

describe('PostgreSQL by its Unix socket', () => {
  let store: TestStore;
  let folder: string;
  before(async () => {
    store = await openTestStore('postgresql');
    const setting = sql<{ folders: string }>`select current_setting('unix_socket_directories') as folders`;
    const { folders } = await one(store.db, setting);
    folder = folders.split(',')[0] as string;
  });
  after(() => store.remove());

  const buildUrls = (socketFolder: string): string[] => {
    const { protocol, username, password, port, pathname } = new URL(store.databaseUrl as string);
    const start = `${protocol}//${username}:${password}@`;
    return [
      `${start}${pathname}?host=${encodeURIComponent(socketFolder)}&port=${port}`,
      `${start}${encodeURIComponent(socketFolder)}:${port}${pathname}`,
    ];
  };

  it('serves statements and transactions, by either form of the address', async () => {
    for (const url of buildUrls(folder)) {
      const db = openPostgres(url);
      const statement = sql<{ address: string | null }>`select host(inet_client_addr()) as address`;
      assert.equal((await one(db, statement)).address, null, 'which is null for a socket');
      assert.equal((await db.tx((tx) => one(tx, statement))).address, null);
      await db.close();
      assert.equal(await findDatabaseFault(url), null);
      assert.equal(await findPoolerFault(url), null);
    }
  });

  it('is said not to be there by the path of the socket', async () => {
    const missing = path.join(folder, 'none');
    for (const url of buildUrls(missing))
      assert.match(
        (await findDatabaseFault(url)) ?? '',
        /must name a PostgreSQL that answers: \S+ at \S+\/none\/\.s\.PGSQL\.\d+ does not, because there is no socket/,
      );
  });
});
