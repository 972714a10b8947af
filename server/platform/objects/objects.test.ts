import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import type { PatientId } from '../../../contract/brands.ts';
import { createTestClock } from '../../../test/harness/clock.ts';
import { startObjectStore, type TestObjectStore } from '../../../test/harness/object-store.ts';
import { ENGINES, openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { readConfig } from '../../config.ts';
import { generateId } from '../kernel/ids.ts';
import { ObjectStoreAway } from '../kernel/object-store-away.ts';
import { parseObjectStoreUrl, type ObjectStoreConfig } from './config.ts';
import { encryptBytes, generateContentKey } from './content-cipher.ts';
import { deleteDueObjects } from './delete-objects.ts';
import { createObjects, type NewObject, type Objects } from './objects.ts';
import {
  deleteObjectsOfPatient,
  deriveObjectId,
  keepAsEvidence,
  keepObject,
  releaseObjects,
} from './refer-to-objects.ts';
import { createObjectStore, type ObjectStore } from './s3-client.ts';

const DAY_MS = 24 * 3600 * 1000;

let remote: TestObjectStore;
let config: ObjectStoreConfig;
before(async () => {
  remote = await startObjectStore();
  config = readConfig(remote.environment).objectStore as ObjectStoreConfig;
});
after(() => remote.stop());

describe('the address of an object store', () => {
  it('names a bucket in path style, a prefix and a region, and nothing else', () => {
    assert.deepEqual(parseObjectStoreUrl('https://s3.example/bucket/'), {
      url: 'https://s3.example/bucket',
      region: 'us-east-1',
    });
    assert.deepEqual(parseObjectStoreUrl('http://127.0.0.1:9000/bucket/records?region=eu-central-1'), {
      url: 'http://127.0.0.1:9000/bucket/records',
      region: 'eu-central-1',
    });
    for (const text of [
      's3://bucket',
      'https://s3.example',
      'https://key:secret@s3.example/bucket',
      'https://s3.example/bucket?versioning=1',
      'https://s3.example/buck%65t',
    ])
      assert.equal(parseObjectStoreUrl(text), null, text);
  });

  it('needs both keys, which may stand in files', () => {
    const { CHARTGATE_OBJECT_STORE_URL: url = '' } = remote.environment;
    assert.throws(
      () => readConfig({ CHARTGATE_OBJECT_STORE_URL: url }),
      /ACCESS_KEY_ID must be set too[^]*SECRET_ACCESS_KEY must be set too/,
    );
    assert.throws(
      () => readConfig({ ...remote.environment, CHARTGATE_OBJECT_STORE_URL: 'https://s3.example' }),
      {
        message: /CHARTGATE_OBJECT_STORE_URL must name a bucket/,
      },
    );
    assert.equal(readConfig({}).objectStore, null);
    assert.equal(config.takesNew, true);
  });
});

describe('the client of an object store', () => {
  it('puts, reads and deletes with signatures that the store verifies, and says which request failed', async () => {
    const requests: string[] = [];
    const store = createObjectStore(config, {
      onRequest: (operation, outcome) => requests.push(`${operation} ${outcome}`),
    });
    const bytes = randomBytes(100_000);
    await store.put('probe', encryptBytes(generateContentKey(), bytes));
    assert.equal(await store.has('probe'), true);
    assert.equal((await (await store.get('probe')).toArray()).length > 0, true);
    await store.remove('probe');
    await store.remove('probe');
    assert.equal(await store.has('probe'), false);
    await assert.rejects(store.get('probe'), { status: 410, code: 'file_missing' });
    assert.deepEqual(requests, [
      'put ok',
      'head ok',
      'get ok',
      'delete ok',
      'delete ok',
      'head ok',
      'get ok',
    ]);
    await store.close();
  });

  it('answers 503 with Retry-After for a wrong secret, a missing bucket and a store that is away', async () => {
    const content = encryptBytes(generateContentKey(), Buffer.from('x'));
    const expectAway = async (changes: Partial<ObjectStoreConfig>, reason: RegExp): Promise<void> => {
      const requests: string[] = [];
      const store = createObjectStore(
        { ...config, ...changes },
        { onRequest: (operation, outcome) => requests.push(`${operation} ${outcome}`) },
      );
      await assert.rejects(store.put('probe', content), (error: ObjectStoreAway) => {
        assert.ok(error instanceof ObjectStoreAway);
        assert.equal(error.status, 503);
        assert.match(error.headers['retry-after'] ?? '', /^\d+$/);
        assert.match(error.reason ?? '', reason);
        return true;
      });
      assert.deepEqual(requests, ['put failed']);
      await store.close();
    };
    await expectAway({ secretAccessKey: 'another' }, /403 SignatureDoesNotMatch/);
    await expectAway({ accessKeyId: 'nobody' }, /403 InvalidAccessKeyId/);
    await expectAway({ url: config.url.replace(/\w+$/, 'another') }, /404 NoSuchBucket/);
    await remote.goAway();
    await expectAway({}, /ECONNREFUSED/);
    await remote.comeBack();
  });
});

for (const engine of ENGINES)
  describe(`objects of a patient (${engine})`, () => {
    const clock = createTestClock();
    let store: TestStore;
    let client: ObjectStore;
    let objects: Objects;
    before(async () => {
      store = await openTestStore(engine);
      client = createObjectStore(config);
      objects = createObjects({ db: store.db, clock, store: client });
    });
    after(async () => {
      await client.close();
      await store.remove();
    });

    const deleteDue = () =>
      deleteDueObjects({ db: store.db, clock, store: client }, new AbortController().signal);
    const describeObject = (
      patientId: PatientId,
      text: string,
      use: NewObject['use'] = 'original',
    ): NewObject => ({
      patientId,
      objectId: deriveObjectId(patientId, 'original', Buffer.from(text)),
      use,
      encoding: 'identity',
      content: Buffer.from(text),
    });
    const keep = (object: NewObject): Promise<void> =>
      objects.placeFor(object, (placed) => store.db.tx((tx) => keepObject(tx, placed, clock.now())));
    const read = async ({ patientId, objectId }: NewObject): Promise<string | null> => {
      const row = await objects.find(patientId, objectId);
      return row && (await objects.readBytes(row)).toString();
    };

    it('are there once for each patient, under random keys, and unreadable without their row', async () => {
      const [one, other] = [generateId<PatientId>(), generateId<PatientId>()];
      await keep(describeObject(one, 'the same words'));
      await keep(describeObject(one, 'the same words'));
      await keep(describeObject(other, 'the same words'));
      const keys = remote.listKeys();
      assert.equal(keys.length, 2);
      for (const key of keys) {
        assert.match(key, /^[0-9a-f]{40}$/);
        assert.ok(!remote.readObject(key).includes('words'));
      }
      assert.notDeepEqual(remote.readObject(keys[0] ?? ''), remote.readObject(keys[1] ?? ''));
      assert.equal(await read(describeObject(other, 'the same words')), 'the same words');
      for (const patientId of [one, other])
        await store.db.tx((tx) =>
          deleteObjectsOfPatient(tx, patientId, { keepEvidence: false, now: clock.now() }),
        );
      await deleteDue();
      assert.deepEqual(remote.listKeys(), []);
    });

    it('of a file are streamed, and inflated where they were compressed', async () => {
      const patientId = generateId<PatientId>();
      const words = randomBytes(300_000).toString('hex');
      const file = path.join(store.dataDirectory, 'compressed');
      fs.writeFileSync(file, deflateRawSync(words));
      const object = describeObject(patientId, 'file');
      await keep({ ...object, encoding: 'deflate', content: { file, size: fs.statSync(file).size } });
      assert.equal(await read(object), words);
      assert.deepEqual(
        fs.readdirSync(store.dataDirectory).filter((name) => name.startsWith('compressed')),
        ['compressed'],
        'what was sent is not left beside it',
      );
      const [key = ''] = remote.listKeys();
      const bytes = remote.readObject(key);
      const damage = async (changed: Buffer): Promise<void> => {
        remote.writeObject(key, changed);
        await assert.rejects(read(object));
      };
      await damage(bytes.subarray(0, -1));
      await damage(Buffer.concat([bytes, Buffer.from('x')]));
      await damage(Buffer.from(bytes.map((byte, index) => (index === 1000 ? byte ^ 1 : byte))));
      remote.writeObject(key, bytes);
      await store.db.tx((tx) =>
        deleteObjectsOfPatient(tx, patientId, { keepEvidence: false, now: clock.now() }),
      );
      await deleteDue();
    });

    it('that no row refers to are deleted: at once where the transaction fails, in a day where the process died', async () => {
      const object = describeObject(generateId<PatientId>(), 'never referred to');
      await assert.rejects(
        objects.placeFor(object, () => Promise.reject(new Error('refused'))),
        { message: 'refused' },
      );
      assert.equal(remote.listKeys().length, 1);
      await deleteDue();
      assert.deepEqual(remote.listKeys(), []);
      // Nobody says that it failed: the process is gone.
      await objects.placeFor(object, async () => {});
      clock.advance(DAY_MS - 1);
      await deleteDue();
      assert.equal(remote.listKeys().length, 1);
      clock.advance(1);
      await deleteDue();
      assert.deepEqual(remote.listKeys(), []);
    });

    it('are placed anew where they were about to be deleted, and never deleted once a transaction refers to them', async () => {
      const object = describeObject(generateId<PatientId>(), 'slow');
      let attempts = 0;
      await objects.placeFor(object, async (placed) => {
        if (attempts++ === 0) clock.advance(DAY_MS - 60_000);
        await store.db.tx((tx) => keepObject(tx, placed, clock.now()));
      });
      assert.equal(attempts, 2);
      clock.advance(2 * DAY_MS);
      await deleteDue();
      assert.equal(remote.listKeys().length, 1);
      assert.equal(await read(object), 'slow');
      // The content goes between the look for it and the transaction that refers to it.
      attempts = 0;
      await objects.placeFor(object, async (placed) => {
        const { patientId, objectId } = object;
        const released = { patientId, objectIds: [objectId], uses: ['original'], now: clock.now() } as const;
        if (attempts++ === 0) await store.db.tx((tx) => releaseObjects(tx, released));
        await store.db.tx((tx) => keepObject(tx, placed, clock.now()));
      });
      assert.equal(attempts, 2);
      await deleteDue();
      assert.equal(remote.listKeys().length, 1);
      assert.equal(await read(object), 'slow');
      await store.db.tx((tx) =>
        deleteObjectsOfPatient(tx, object.patientId, { keepEvidence: false, now: clock.now() }),
      );
      await deleteDue();
    });

    it('stay when another row refers to them, and evidence stays when its patient goes', async () => {
      const patientId = generateId<PatientId>();
      const [used, unused] = [describeObject(patientId, 'used'), describeObject(patientId, 'unused')];
      const [draft, evidence] = [
        describeObject(patientId, 'draft', 'draft'),
        describeObject(patientId, 'evidence', 'draft'),
      ];
      for (const object of [used, unused, draft, evidence]) await keep(object);
      const now = clock.now();
      await store.db.tx(async (tx) => {
        await keepAsEvidence(tx, patientId, [evidence.objectId]);
        const objectIds = [used.objectId, unused.objectId, draft.objectId, evidence.objectId];
        await releaseObjects(tx, { patientId, objectIds, uses: ['original', 'draft'], now }, async () => [
          used.objectId,
          draft.objectId,
        ]);
      });
      await deleteDue();
      assert.equal(await read(unused), null);
      assert.equal(remote.listKeys().length, 3);
      await assert.rejects(
        store.db.tx((tx) => keepAsEvidence(tx, patientId, [unused.objectId])),
        /in no store/,
      );
      await store.db.tx((tx) => deleteObjectsOfPatient(tx, patientId, { keepEvidence: true, now }));
      await deleteDue();
      assert.equal(remote.listKeys().length, 1);
      assert.equal(await read(evidence), 'evidence');
      await store.db.tx((tx) => deleteObjectsOfPatient(tx, patientId, { keepEvidence: false, now }));
      await deleteDue();
      assert.deepEqual(remote.listKeys(), []);
    });

    it('are deleted later where the store is away, however often it takes', async () => {
      const object = describeObject(generateId<PatientId>(), 'removed');
      await keep(object);
      await store.db.tx((tx) =>
        deleteObjectsOfPatient(tx, object.patientId, { keepEvidence: false, now: clock.now() }),
      );
      await remote.goAway();
      await assert.rejects(deleteDue(), /objects were not deleted/);
      await remote.comeBack();
      await deleteDue();
      assert.equal(remote.listKeys().length, 1, 'the next attempt has its time');
      clock.advance(3600 * 1000);
      await deleteDue();
      assert.deepEqual(remote.listKeys(), []);
    });

    it('are refused before a row is written where the store is away', async () => {
      const object = describeObject(generateId<PatientId>(), 'away');
      await remote.goAway();
      await assert.rejects(keep(object), ObjectStoreAway);
      await remote.comeBack();
      assert.equal(await objects.find(object.patientId, object.objectId), null);
    });
  });

describe('a transaction that refers to an object', () => {
  it('is waited for by whoever deletes what nothing refers to', async () => {
    const clock = createTestClock();
    const store = await openTestStore('postgresql');
    const client = createObjectStore(config);
    const objects = createObjects({ db: store.db, clock, store: client });
    const patientId = generateId<PatientId>();
    const objectId = deriveObjectId(patientId, 'picture', Buffer.from('x'));
    const object: NewObject = {
      patientId,
      objectId,
      use: 'draft',
      encoding: 'identity',
      content: Buffer.from('x'),
    };
    const keep = () =>
      objects.placeFor(object, (placed) => store.db.tx((tx) => keepObject(tx, placed, clock.now())));
    await keep();
    const used: string[] = [];
    const inside = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const referring = objects.placeFor(object, (placed) =>
      store.db.tx(async (tx) => {
        await keepObject(tx, placed, clock.now());
        inside.resolve();
        await go.promise;
        used.push(objectId);
      }),
    );
    await inside.promise;
    const released = { patientId, objectIds: [objectId], uses: ['draft'], now: clock.now() } as const;
    const releasing = store.db.tx((tx) => releaseObjects(tx, released, async () => used));
    go.resolve();
    await Promise.all([referring, releasing]);
    assert.notEqual(await objects.find(patientId, objectId), null);
    await client.close();
    await store.remove();
  });
});
