import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openEmbedded } from '../../server/platform/db/embedded.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { runWriter, waitUntilWritten } from './run-writer.ts';
import { PROGRAM } from '../harness/program.ts';

describe('the embedded store', () => {
  let store: TestStore;
  let dataDirectory: string;
  before(async () => {
    store = await openTestStore('embedded');
    ({ dataDirectory } = store);
    await store.db.close();
  });
  after(() => fs.rmSync(dataDirectory, { recursive: true }));
  const onFatal = (error: Error): void => assert.fail(error);

  it('is refused to a second process, and free at once when its holder is killed', async (t) => {
    const holder = runWriter(t, 'hold', { dataDirectory });
    await holder.found;
    const refusal = `The data directory ${dataDirectory} is in use by another Chartgate process. `;
    await assert.rejects(openEmbedded({ dataDirectory, onFatal }), (error: Error) =>
      error.message.startsWith(refusal),
    );
    const server = spawnSync(process.execPath, [PROGRAM, 'serve'], {
      env: { ...process.env, PORT: '0', CHARTGATE_DATA_DIR: dataDirectory },
      encoding: 'utf8',
    });
    assert.equal(server.status, 1);
    assert.match(server.stderr, /^chartgate: The data directory .* is in use by another Chartgate process/);
    await holder.kill();
    const db = await openEmbedded({ dataDirectory, onFatal });
    await assert.rejects(openEmbedded({ dataDirectory, onFatal }), /in use/, 'also within one process');
    await db.close();
  });

  it('case 174: closes a folder that everybody could read and write, before it opens, and all that it writes', async () => {
    const listFiles = (): string[] =>
      fs
        .readdirSync(dataDirectory, { recursive: true, encoding: 'utf8' })
        .map((name) => path.join(dataDirectory, name));
    for (const file of [dataDirectory, ...listFiles()]) fs.chmodSync(file, 0o777);
    const db = await openEmbedded({ dataDirectory, onFatal });
    await db.query(sql`create table modes as select 1`);
    await db.query(sql`checkpoint`);
    const open = [dataDirectory, ...listFiles()].filter((file) => (fs.lstatSync(file).mode & 0o077) !== 0);
    await db.query(sql`drop table modes`);
    await db.close();
    assert.deepEqual(open, []);
  });

  it('forces every commit to disk before it is acknowledged', async (t) => {
    const writer = runWriter(t, 'write', { dataDirectory, faults: { FSYNC_SHOWN: 'yes' } });
    await waitUntilWritten(writer, 100);
    await writer.kill();
    const again = runWriter(t, 'read', { dataDirectory });
    const { transactions } = await again.found;
    await again.exited;
    // The engine commits one after another, each with a force of its own; writes of several callers share a commit.
    const acknowledged = new Set<string | undefined>();
    for (const [index, key] of writer.stored.entries()) {
      acknowledged.add(transactions[key]);
      const forces = writer.forces[index] ?? 0;
      assert.ok(acknowledged.size <= forces, `${forces} forces when ${acknowledged.size} were acknowledged`);
    }
    assert.ok(!acknowledged.has(undefined));
  });

  it('refuses to start when commits do not reach the disk', async (t) => {
    const writer = runWriter(t, 'write', { dataDirectory, faults: { FSYNC_UNPATCHED: 'yes' } });
    const { code, stderr } = await writer.exited;
    assert.notEqual(code, 0);
    assert.match(stderr, /the embedded engine does not force its commits to disk/);
    assert.deepEqual(writer.stored, []);
  });

  it('takes the process down when the disk fails, and holds all that was acknowledged when it is opened again', async (t) => {
    const flag = path.join(dataDirectory, 'broken');
    const writer = runWriter(t, 'write', { dataDirectory, faults: { FSYNC_FAILS: flag } });
    await writer.found;
    await waitUntilWritten(writer, 50);
    fs.writeFileSync(flag, '');
    const { code, stderr } = await writer.exited;
    assert.equal(code, 70, 'onFatal was called, and ended it');
    assert.match(stderr, /the embedded engine stopped/);
    const again = runWriter(t, 'read', { dataDirectory });
    const { keys, torn } = await again.found;
    await again.exited;
    assert.deepEqual(
      writer.stored.filter((key) => !keys.includes(key)),
      [],
    );
    assert.equal(torn, 0);
  });
});
