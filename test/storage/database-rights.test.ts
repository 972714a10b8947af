import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { findDatabaseFault } from '../../server/platform/db/database-fault.ts';
import { createDatabase } from '../harness/store.ts';

describe('a database that answers', () => {
  it('is a fault where its role may make no tables, or only read', async (t) => {
    const url = new URL(await createDatabase({ template: 'template0' }));
    const name = url.pathname.slice(1);
    const role = `${name}_role`;
    const owner = new pg.Client({ connectionString: url.href });
    await owner.connect();
    t.after(async () => {
      await owner.query(`drop owned by ${role}; drop role ${role}`);
      await owner.end();
    });
    await owner.query(`create role ${role} login password 'hush'`);
    assert.equal(await findDatabaseFault(url.href), null);
    url.username = role;
    url.password = 'hush';
    assert.match(
      (await findDatabaseFault(url.href)) ?? '',
      /^DATABASE_URL must name a role that may make tables and extensions: make it the owner of the database/,
    );
    await owner.query(`grant usage, create on schema public to ${role}`);
    assert.match((await findDatabaseFault(url.href)) ?? '', /"grant create on database/, 'for extensions');
    await owner.query(`grant create on database ${name} to ${role}`);
    assert.equal(await findDatabaseFault(url.href), null);
    await owner.query(`alter role ${role} set default_transaction_read_only = on`);
    assert.match((await findDatabaseFault(url.href)) ?? '', /must name a PostgreSQL that takes writes/);
  });
});
