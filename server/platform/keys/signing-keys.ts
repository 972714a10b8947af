import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import type { Clock } from '../kernel/clock.ts';
import type { Db, Queryable, Tx } from '../db/db.ts';
import { createKeyCache } from './key-cache.ts';
import {
  findAllPublicKeys,
  insertKey,
  lockSigningKeys,
  moveKeys,
  findPublishedKeys,
  type SigningKeyRow,
} from './signing-keys.sql.ts';

export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
  alg: 'ES256';
  use: 'sig';
}

export interface SigningKeys {
  /** Returns the key that signs now. */
  getCurrentKey(): Promise<{ kid: string; key: CryptoKey }>;
  /** Returns a published key by its id, or null; for an unknown id the keys are read again, at most once a second. */
  findPublishedKey(kid: string): Promise<CryptoKey | null>;
  /** Lists the previous, current and next key (RFC 7517). */
  listPublishedKeys(): Promise<PublicJwk[]>;
}

/** Another node's rotation is noticed within a minute; the next key is published long before it signs. */
const MAX_AGE_MS = 60_000;
/**
 * What signs, and the published list that others verify by. A rotation that was broken off and is done again retires the key
 * that signed before both: tokens that a node signs with it after that are refused everywhere.
 */
const SIGNING_MAX_AGE_MS = 5_000;

interface LoadedKeys {
  rows: SigningKeyRow[];
  /** The public halves, by id. */
  keys: Map<string, CryptoKey>;
  signing: { kid: string; key: CryptoKey };
}

export function createSigningKeys({ db, clock }: { db: Db; clock: Clock }): SigningKeys {
  const cache = createKeyCache({ clock, read: () => readKeys(db, clock) });
  return {
    async getCurrentKey() {
      return (await cache.get(SIGNING_MAX_AGE_MS)).signing;
    },
    async findPublishedKey(kid) {
      const key = (await cache.get(MAX_AGE_MS)).keys.get(kid);
      return key ?? (await cache.getAfterMiss()).keys.get(kid) ?? null;
    },
    async listPublishedKeys() {
      return (await cache.get(SIGNING_MAX_AGE_MS)).rows.map((row) => JSON.parse(row.public_jwk) as PublicJwk);
    },
  };
}

async function readKeys(db: Db, clock: Clock): Promise<LoadedKeys> {
  let rows = await db.query(findPublishedKeys());
  if (!rows.some(({ state }) => state === 'current')) {
    await db.tx((tx) => createFirstKeys(tx, clock));
    rows = await db.query(findPublishedKeys());
  }
  const keys = await Promise.all(
    rows.map(async (row) => [row.kid, await importKey(row.public_jwk)] as const),
  );
  const { kid, private_jwk: jwk } = rows.find(({ state }) => state === 'current') as SigningKeyRow;
  const signing = { kid, key: await importKey(jwk) };
  return { rows, keys: new Map(keys), signing };
}

/** Lists the public halves of all keys that ever signed, or will next: to verify stored documents, such as checkpoints. */
export const listAllSigningKeys = async (db: Queryable): Promise<PublicJwk[]> =>
  (await db.query(findAllPublicKeys())).map((row) => JSON.parse(row.public_jwk) as PublicJwk);

const importKey = (jwk: string): Promise<CryptoKey> =>
  importJWK(JSON.parse(jwk) as JWK, 'ES256') as Promise<CryptoKey>;

async function createFirstKeys(tx: Tx, clock: Clock): Promise<void> {
  await tx.query(lockSigningKeys());
  if ((await tx.query(findPublishedKeys())).some(({ state }) => state === 'current')) return;
  await tx.query(insertKey(await generateKey('current'), clock.now()));
  await tx.query(insertKey(await generateKey('next'), clock.now()));
}

/** Rotates next → current → previous → retired, and creates a new next; returns the id of the key that signs from now on. */
export function rotateSigningKeys({ db, clock }: { db: Db; clock: Clock }): Promise<string> {
  return db.tx(async (tx) => {
    await createFirstKeys(tx, clock);
    await tx.query(lockSigningKeys());
    await tx.query(moveKeys('previous', 'retired'));
    await tx.query(moveKeys('current', 'previous'));
    await tx.query(moveKeys('next', 'current'));
    await tx.query(insertKey(await generateKey('next'), clock.now()));
    const rows = await tx.query(findPublishedKeys());
    return (rows.find(({ state }) => state === 'current') as SigningKeyRow).kid;
  });
}

async function generateKey(state: SigningKeyRow['state']): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    kid,
    state,
    public_jwk: JSON.stringify({ ...jwk, kid, alg: 'ES256', use: 'sig' }),
    private_jwk: JSON.stringify({ ...(await exportJWK(privateKey)), kid, alg: 'ES256' }),
  };
}
