import type { GrantId, PatientId } from '../../../contract/brands.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { selectGrantUsable } from './grants.sql.ts';

interface GrantReference {
  /** The patient. */
  sub: PatientId;
  /** The grant. */
  gid: GrantId;
}

/** Creates the check that every use of an access token runs: its grant exists and its client has not revoked it. */
export const createGrantLookup =
  (db: Db) =>
  async ({ sub, gid }: GrantReference): Promise<boolean> =>
    (await maybeOne(db, selectGrantUsable(sub, gid)))?.usable === true;
