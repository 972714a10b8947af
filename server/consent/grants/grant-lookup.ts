import type { GrantId, PatientId } from '../../../contract/brands.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { selectGrantUsable } from './grants.sql.ts';

interface GrantReference {
  /** The patient. */
  sub: PatientId;
  /** The grant. */
  gid: GrantId;
}

/**
 * Creates the check that every use of an access token runs: its grant exists and was not revoked, but by a withdrawal, which the gate refuses with its reason, and the token
 * has not expired by the store's clock either.
 */
export const createGrantLookup =
  (db: Db) =>
  async ({ sub, gid }: GrantReference, expiresAt: Date): Promise<boolean> =>
    (await maybeOne(db, selectGrantUsable(sub, gid, expiresAt)))?.usable === true;
