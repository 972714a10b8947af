import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../server/config.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { deleteDueObjects } from '../../server/platform/objects/delete-objects.ts';
import { createObjectStore } from '../../server/platform/objects/s3-client.ts';
import { createArchive } from '../harness/archive.ts';
import { createTestClock } from '../harness/clock.ts';
import { startObjectStore, type TestObjectStore } from '../harness/object-store.ts';
import { findFreePort } from '../harness/postgres.ts';
import { newOrganization, newTestPatient, upload, type TestService } from '../harness/service.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { createServerNode, type ServerNode } from './server-node.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('an upload whose server is killed between the object store and the commit', () => {
  const clock = createTestClock({ runs: true });
  let remote: TestObjectStore;
  let store: TestStore;
  let node: ServerNode;
  before(async () => {
    remote = await startObjectStore();
    store = await openTestStore();
    node = createServerNode(await findFreePort(), {
      ...remote.environment,
      CHARTGATE_DATA_DIR: store.dataDirectory,
      DATABASE_URL: store.databaseUrl ?? '',
    });
    await node.start();
  });
  after(async () => {
    await node.kill();
    await store.remove();
    await remote.stop();
  });

  it('leaves an object that is deleted a day later, and nothing of what was acknowledged', async () => {
    const { db } = store;
    const organization = await newOrganization({ store, clock });
    const service = { baseUrl: node.baseUrl, organization } as unknown as TestService;
    const patient = await newTestPatient(service);
    const letter = { 'letter.html': Buffer.from('<html><body><p>Dear colleague</p></body></html>') };
    await upload(service, patient, await createArchive(letter));
    const kept = remote.listKeys();
    const other = await createArchive({ 'other.html': Buffer.from('<html><body>Other</body></html>') });
    let orphans: string[] = [];
    await db.tx(async (tx) => {
      // The upload puts its archive, and waits here to write its batch.
      await tx.query(sql`select from record_head where patient_id = ${patient.id} for update`);
      const sent = upload(service, patient, other).then(
        () => assert.fail('it was acknowledged'),
        () => {},
      );
      while (orphans.length === 0) {
        await sleep(20);
        orphans = remote.listKeys().filter((key) => !kept.includes(key));
      }
      await node.kill();
      await sent;
    });
    assert.equal(orphans.length, 1);
    const batches = await db.query(sql`select from upload_batch where patient_id = ${patient.id}`);
    assert.equal(batches.length, 1);
    const client = createObjectStore(readConfig(remote.environment).objectStore ?? assert.fail());
    const deleteDue = () => deleteDueObjects({ db, clock, store: client }, new AbortController().signal);
    await deleteDue();
    const [orphan = ''] = orphans;
    assert.ok(remote.listKeys().includes(orphan), 'somebody may be about to refer to it');
    clock.advance(DAY_MS + 60_000);
    await deleteDue();
    assert.equal(remote.listKeys().length, 1, 'the letter that was acknowledged');
    await client.close();
  });
});
