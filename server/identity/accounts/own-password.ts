import { toEmail } from '../../../contract/brands.ts';
import type { PatientSession } from '../../../contract/audience.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { verifyPassword } from '../../platform/kernel/password.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { LoginThrottle } from '../tokens/login-throttle.ts';
import { findPasswordHash } from './accounts.sql.ts';

interface Deps {
  db: Db;
  /** The throttle of signing in, so that guesses here and there count together. */
  throttle: LoginThrottle;
}

/** What a signed-in person shows to be themselves, before something that somebody at their device must not do. */
export interface OwnPassword {
  session: PatientSession;
  password: string;
  /** The client's address. */
  address: string;
  requestId: string;
}

/** Returns the hash of the password in force, which is the one that the person gave; throws 401 `invalid_credentials`, or 429. */
export async function requireOwnPassword(
  { db, throttle }: Deps,
  { session: { patientId, person }, password, address, requestId }: OwnPassword,
): Promise<string> {
  const account = `email:${toEmail(person.email)}`;
  const hash = await throttle.guard({ account, address, requestId }, async () => {
    const row = await maybeOne(db, findPasswordHash(patientId));
    return row && (await verifyPassword(row.password_hash, password)) ? row.password_hash : null;
  });
  if (hash === null) throw wrongPassword();
  return hash;
}

/** Builds the refusal of a password that is not the one in force, or not any more. */
export const wrongPassword = (): Refusal =>
  new Refusal(401, 'invalid_credentials', { detail: 'The present password is another one.' });
