import { randomBytes } from 'node:crypto';
import { ObjectStoreAway } from '../../platform/kernel/object-store-away.ts';
import type { ObjectStoreConfig } from '../../platform/objects/config.ts';
import { decrypt, encryptBytes, generateContentKey } from '../../platform/objects/content-cipher.ts';
import { createObjectStore, type ObjectStore } from '../../platform/objects/s3-client.ts';
import { createFinding, type Finding } from './finding.ts';

/** Puts an object, reads it, and deletes it. */
export async function checkObjectStore(config: ObjectStoreConfig | null): Promise<Finding> {
  if (config === null) return createFinding('no_object_store');
  const { host } = new URL(config.url);
  const store = createObjectStore(config);
  try {
    await probe(store);
    return createFinding('object_store_ok', { host });
  } catch (error) {
    const reason =
      error instanceof ObjectStoreAway ? error.reason : 'it returned something else than was put';
    return createFinding('object_store_wrong', { host, reason: reason ?? 'it does not answer' });
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
