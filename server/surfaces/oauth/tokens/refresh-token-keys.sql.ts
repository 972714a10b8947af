import { sql } from '../../../platform/db/sql.ts';

export interface RefreshTokenKeyRow {
  key_id: string;
  secret: Buffer;
  created_at: Date;
}

/** Newest first. */
export const selectRefreshTokenKeys = () => sql<RefreshTokenKeyRow>`
  select key_id, secret, created_at from refresh_token_key order by created_at desc, key_id`;

/** Serializes the creation and the rotation of keys between nodes. */
export const lockRefreshTokenKeys = () => sql`lock table refresh_token_key in share row exclusive mode`;

export const insertRefreshTokenKey = (key: RefreshTokenKeyRow) => sql`
  insert into refresh_token_key (key_id, secret, created_at) values (${key.key_id}, ${key.secret}, ${key.created_at})`;

/** Deletes keys that a newer one replaced before `replacedBefore`: a key signs tokens until the next one exists. */
export const deleteReplacedKeys = (replacedBefore: Date) => sql`
  delete from refresh_token_key old where exists (
    select from refresh_token_key newer
    where newer.created_at > old.created_at and newer.created_at < ${replacedBefore})`;
