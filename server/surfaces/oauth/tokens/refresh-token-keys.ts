import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { createKeyCache } from '../../../platform/keys/key-cache.ts';
import * as statements from './refresh-token-keys.sql.ts';

export interface RefreshTokenKeys {
  /** Returns the key that signs new tokens. */
  current(): Promise<statements.RefreshTokenKeyRow>;
  /** Returns a key by its id; for an unknown id the keys are read again, at most once a second. */
  find(keyId: string): Promise<Buffer | null>;
}

const MAX_AGE_MS = 60_000;

export function createRefreshTokenKeys({ db, clock }: { db: Db; clock: Clock }): RefreshTokenKeys {
  const cache = createKeyCache({ clock, read: () => readKeys(db, clock) });
  const findSecret = (rows: statements.RefreshTokenKeyRow[], keyId: string): Buffer | undefined =>
    rows.find(({ key_id: id }) => id === keyId)?.secret;

  return {
    current: async () => (await cache.get(MAX_AGE_MS))[0] as statements.RefreshTokenKeyRow,
    find: async (keyId) =>
      findSecret(await cache.get(MAX_AGE_MS), keyId) ?? findSecret(await cache.getAfterMiss(), keyId) ?? null,
  };
}

async function readKeys(db: Db, clock: Clock): Promise<statements.RefreshTokenKeyRow[]> {
  const rows = await db.query(statements.selectRefreshTokenKeys());
  return rows.length === 0 ? db.tx((tx) => createFirstKey(tx, clock)) : rows;
}

async function createFirstKey(tx: Tx, clock: Clock): Promise<statements.RefreshTokenKeyRow[]> {
  await tx.query(statements.lockRefreshTokenKeys());
  const rows = await tx.query(statements.selectRefreshTokenKeys());
  if (rows.length > 0) return rows;
  const key = createKey(clock.now());
  await tx.query(statements.insertRefreshTokenKey(key));
  return [key];
}

/** Adds a key that signs all new refresh tokens; tokens of older keys stay valid until they are replaced or expire. */
export function rotateRefreshTokenKey({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  return db.tx(async (tx) => {
    await tx.query(statements.lockRefreshTokenKeys());
    await tx.query(statements.insertRefreshTokenKey(createKey(clock.now())));
  });
}

const createKey = (now: Date): statements.RefreshTokenKeyRow => ({
  key_id: randomBytes(6).toString('base64url'),
  secret: randomBytes(32),
  created_at: now,
});
