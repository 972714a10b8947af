import { randomBytes } from 'node:crypto';
import { ObjectStoreAway } from '../../server/platform/kernel/object-store-away.ts';
import type { ObjectStoreConfig } from '../../server/platform/objects/config.ts';
import { decrypt, encryptBytes, generateContentKey } from '../../server/platform/objects/content-cipher.ts';
import { createObjectStore, type ObjectStore } from '../../server/platform/objects/s3-client.ts';
import { failed, ok, skipped, type Finding } from './finding.ts';

/** Puts an object, reads it, and deletes it. */
export async function checkObjectStore(config: ObjectStoreConfig | null): Promise<Finding> {
  if (config === null)
    return skipped('object_store', 'Originals and pictures of decisions are kept in the database.');
  const { host } = new URL(config.url);
  const store = createObjectStore(config);
  try {
    await probe(store);
    return ok('object_store', `${host} keeps, returns and deletes what is put there.`);
  } catch (error) {
    const reason =
      error instanceof ObjectStoreAway ? error.reason : 'it returned something else than was put';
    return failed(
      'object_store',
      `${host} does not keep files for the service (${reason}).`,
      'Correct CHARTGATE_OBJECT_STORE_URL and its keys; the key must be allowed to put, read and delete objects.',
    );
  } finally {
    await store.close();
  }
}

async function probe(store: ObjectStore): Promise<void> {
  const key = `probe-${randomBytes(16).toString('hex')}`;
  const [contentKey, bytes] = [generateContentKey(), randomBytes(1024)];
  try {
    await store.put(key, encryptBytes(contentKey, bytes));
    const read: Buffer[] = [];
    for await (const chunk of decrypt({ contentKey, size: bytes.length }, await store.get(key)))
      read.push(chunk);
    if (!Buffer.concat(read).equals(bytes)) throw new Error('other bytes');
  } finally {
    await store.remove(key);
  }
  if (await store.has(key)) throw new Error('not deleted');
}
