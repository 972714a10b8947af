import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import type { PatientId } from '../../../contract/brands.ts';
import { maybeOne, type Db } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import { ObjectStoreAway } from '../kernel/object-store-away.ts';
import {
  decrypt,
  encryptBytes,
  encryptFile,
  generateContentKey,
  type EncryptedContent,
} from './content-cipher.ts';
import * as statements from './objects.sql.ts';
import { PlacedObjectGone, type PlacedObject } from './refer-to-objects.ts';
import type { ObjectStore } from './s3-client.ts';

/** Content that is to be in the object store. */
export type NewObject = Pick<PlacedObject, 'patientId' | 'objectId' | 'use' | 'encoding'> & {
  /** Bytes, or a file of so many: beside it another one is written for as long as it is sent. */
  content: Buffer | { file: string; size: number };
};

export interface Objects {
  /** Whether new content belongs into the object store, not into the database. */
  readonly takesNew: boolean;
  /**
   * Puts content into the store, unless it is there, and then runs the transaction that refers to it, which calls `keepObject`.
   * When the process dies between, or the transaction fails, the object is deleted later.
   */
  placeFor<T>(object: NewObject, refer: (placed: PlacedObject) => Promise<T>): Promise<T>;
  find(patientId: PatientId, objectId: string): Promise<statements.StoredObjectRow | null>;
  /** Streams the content as it came. Resolves when the store has begun to answer; throws ObjectStoreAway, or `file_missing`. */
  open(object: statements.StoredObjectRow): Promise<Readable>;
  /** Streams the content as it was given to be stored. */
  openEncoded(object: statements.StoredObjectRow): Promise<Readable>;
  readBytes(object: statements.StoredObjectRow): Promise<Buffer>;
  /** Throws ObjectStoreAway where a patient has objects and the store does not answer, before a long answer begins. */
  requireReachable(patientId: PatientId): Promise<void>;
}

interface ObjectsDeps {
  db: Db;
  clock: Clock;
  /** null: none is configured. */
  store: ObjectStore | null;
  /** Absent: where there is a store. */
  takesNew?: boolean;
}

/** An upload takes an hour at most; what nobody refers to a day after it was put was left by a process that died. */
const ORPHAN_AGE_MS = 24 * 3600 * 1000;

const MAX_PLACEMENTS = 3;

/** Creates the access to what is kept outside of the database; without a store there is nothing of it. */
export function createObjects({ db, clock, store, takesNew = store !== null }: ObjectsDeps): Objects {
  const requireStore = (): ObjectStore => {
    if (store === null) throw new ObjectStoreAway('CHARTGATE_OBJECT_STORE_URL is not set');
    return store;
  };
  const openEncoded = async (object: statements.StoredObjectRow): Promise<Readable> => {
    const encrypted = await requireStore().get(object.object_key);
    return Readable.from(decrypt({ contentKey: object.content_key, size: object.size }, encrypted), {
      objectMode: false,
    });
  };
  const open = async (object: statements.StoredObjectRow): Promise<Readable> => {
    const stored = await openEncoded(object);
    // An error of either is one of what is returned.
    return object.encoding === 'identity' ? stored : pipeline(stored, createInflateRaw(), () => {});
  };
  return {
    takesNew: store !== null && takesNew,
    async placeFor(object, refer) {
      for (let attempt = 1; ; attempt++) {
        const placed = await place({ db, clock, store: requireStore() }, object);
        try {
          return await refer(placed);
        } catch (error) {
          await discard({ db, clock }, placed);
          if (!(error instanceof PlacedObjectGone) || attempt === MAX_PLACEMENTS) throw error;
        }
      }
    },
    find: (patientId, objectId) => maybeOne(db, statements.selectObject(patientId, objectId)),
    open,
    openEncoded,
    readBytes: async (object) => Buffer.concat(await (await open(object)).toArray()),
    async requireReachable(patientId) {
      const any = await maybeOne(db, statements.selectAnyObject(patientId));
      if (any) await requireStore().has(any.object_key);
    },
  };
}

/** Puts content into the store. Its deletion is written first, so that no object is ever there that no row knows. */
async function place(
  { db, clock, store }: { db: Db; clock: Clock; store: ObjectStore },
  { content, ...object }: NewObject,
): Promise<PlacedObject> {
  const known = await maybeOne(db, statements.selectObject(object.patientId, object.objectId));
  const size = Buffer.isBuffer(content) ? content.length : content.size;
  if (known) return { ...object, size, contentKey: known.content_key, key: null };
  const key = randomBytes(20).toString('hex');
  const contentKey = generateContentKey();
  await db.query(statements.scheduleDeletion(key, new Date(clock.now().getTime() + ORPHAN_AGE_MS)));
  await withEncrypted(contentKey, content, (encrypted) => store.put(key, encrypted));
  return { ...object, size, contentKey, key };
}

async function withEncrypted(
  contentKey: Buffer,
  content: NewObject['content'],
  send: (encrypted: EncryptedContent) => Promise<void>,
): Promise<void> {
  if (Buffer.isBuffer(content)) return send(encryptBytes(contentKey, content));
  const into = `${content.file}.encrypted`;
  try {
    await send(await encryptFile(contentKey, content.file, into));
  } finally {
    await rm(into, { force: true });
  }
}

/** Has what nothing refers to deleted soon; where this fails, it is deleted a day later. */
async function discard({ db, clock }: { db: Db; clock: Clock }, { key }: PlacedObject): Promise<void> {
  if (key !== null) await db.query(statements.expediteDeletion(key, clock.now())).catch(() => {});
}
