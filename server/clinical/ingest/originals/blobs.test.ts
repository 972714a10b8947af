import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { withoutObjectStore } from '../../../../test/harness/no-objects.ts';
import { openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import { DocumentId, type PatientId } from '../../../../contract/brands.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { readBlob, readDocument } from './blobs.ts';

describe('a document whose bytes are gone', () => {
  let store: TestStore;
  before(async () => void (store = await openTestStore('postgresql')));
  after(() => store.remove());

  it('is no empty one: what reads it breaks off, however it was stored', async () => {
    const { db } = store;
    const patientId = generateId<PatientId>();
    const document_id = DocumentId.parse(generateId());
    const sha256 = createHash('sha256').digest();
    const read = async (encoding: 'identity' | 'deflate', size: number): Promise<number> => {
      const document = { document_id, encoding, sha256, size };
      const stream = await readDocument({ db, objects: withoutObjectStore(db) }, patientId, document);
      return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).length;
    };
    await assert.rejects(read('identity', 9), /not there any more/);
    await assert.rejects(read('deflate', 9), /not there any more/);
    assert.equal(await read('identity', 0), 0);
    const archive = readBlob(db, { patientId, blobId: document_id });
    await assert.rejects(Array.fromAsync(archive as AsyncIterable<Buffer>), /not there any more/);
  });
});
