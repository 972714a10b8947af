import type { GrantId, PatientId } from '../../../contract/brands.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { selectGrantUsable } from './grants.sql.ts';

interface GrantReference {
  /** The patient. */
  sub: PatientId;
  /** The grant. */
  gid: GrantId;
}

/**
 * Creates the check that every use of an access token runs: its grant exists and is not over, but with its consent, which the
 * gate refuses with its reason until one is in force again, and the token has not expired by the store's clock either.
 */
export const createGrantLookup =
  ({ db, clock }: { db: Db; clock: Clock }) =>
  async ({ sub: patientId, gid: grantId }: GrantReference, expiresAt: Date): Promise<boolean> =>
    (await maybeOne(db, selectGrantUsable({ patientId, grantId }, expiresAt, clock.now())))?.usable === true;
