import { sql } from '../db/sql.ts';

export interface SigningKeyRow {
  kid: string;
  state: 'next' | 'current' | 'previous' | 'retired';
  public_jwk: string;
  private_jwk: string;
}

export const findPublishedKeys = () => sql<SigningKeyRow>`
  select kid, state, public_jwk, private_jwk from signing_key where state <> 'retired' order by created_at`;

/** Finds the public keys of every state: signed documents outlive their keys. */
export const findAllPublicKeys = () => sql<Pick<SigningKeyRow, 'public_jwk'>>`
  select public_jwk from signing_key order by created_at`;

/** Selects when keys were rotated last: the next key is made then. No row where they never were. */
export const findLastRotation = () => sql<{ rotated_at: Date }>`
  select n.created_at as rotated_at from signing_key n
  where n.state = 'next' and exists (select from signing_key p where p.state = 'previous')`;

/** Serializes the creation and the rotation of keys between nodes. */
export const lockSigningKeys = () => sql`lock table signing_key in share row exclusive mode`;

export const insertKey = (key: SigningKeyRow, now: Date) => sql`
  insert into signing_key (kid, state, public_jwk, private_jwk, created_at)
  values (${key.kid}, ${key.state}, ${key.public_jwk}, ${key.private_jwk}, ${now})`;

/** Changes the state of keys; deletes the private half of a key that signs no more. */
export const moveKeys = (from: SigningKeyRow['state'], to: SigningKeyRow['state']) => sql`
  update signing_key set state = ${to},
    private_jwk = case when ${to} in ('previous', 'retired') then '{}' else private_jwk end
  where state = ${from}`;
