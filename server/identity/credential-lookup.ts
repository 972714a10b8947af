import type { TokenCaller } from '../../contract/audience.ts';
import { one, type Db } from '../platform/db/db.ts';
import type { Clock } from '../platform/kernel/clock.ts';
import { selectIsApiKeyCurrent } from './organizations/api-keys.sql.ts';
import { selectIsPasswordCurrent } from './patients/patients.sql.ts';

/**
 * Creates the check that every use of a token of `POST /v1/auth/token` runs: the password or the secret that it was
 * obtained with is still the one in force, and the token has not expired by the store's clock either. It compares ids
 * and not times, because a token made in the second of the change may be older or younger than it, and the clocks of
 * two nodes differ.
 */
export const createCredentialLookup =
  ({ db, clock }: { db: Db; clock: Clock }) =>
  async (caller: TokenCaller, expiresAt: Date): Promise<boolean> => {
    if (caller.kind !== 'patient')
      return (await one(db, selectIsApiKeyCurrent(caller, { tokenExpiresAt: expiresAt, now: clock.now() })))
        .current;
    const { patientId, credentialId } = caller;
    return (
      credentialId !== null &&
      (await one(db, selectIsPasswordCurrent(patientId, credentialId, expiresAt))).current
    );
  };
