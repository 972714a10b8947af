import type { z } from 'zod';
import type { Person } from '../../../contract/account/account.ts';
import type { Email } from '../../../contract/brands.ts';
import type { LoginThrottle } from '../tokens/login-throttle.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { verifyDummyPassword, verifyPassword } from '../../platform/kernel/password.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { findLogin } from '../patients/patients.sql.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { lockPassword } from './accounts.sql.ts';
import { beginSession, endSession, toPersonDto } from './session.ts';

export interface Deps {
  db: Db;
  clock: Clock;
  /** Shared with `POST /v1/auth/token`, so that guesses at either endpoint add up. */
  throttle: LoginThrottle;
}

interface Login {
  email: Email;
  password: string;
  address: string;
  requestId: string;
  /** The cookie of the session that this browser had before. */
  session: string | null;
  device: string;
}

export interface SignInResult {
  person: z.infer<typeof Person>;
  session: string;
}

/** Begins a session under a new secret, whatever cookie the browser sent, and ends its previous session. */
export async function signIn(deps: Deps, login: Login): Promise<SignInResult> {
  const { email, address, requestId } = login;
  const result = await deps.throttle.guard({ account: `email:${email}`, address, requestId }, () =>
    attemptSignIn(deps, login),
  );
  if (result === null)
    throw new Refusal(401, 'invalid_credentials', { detail: 'The credentials are wrong.' });
  return result;
}

async function attemptSignIn(
  { db, clock }: Deps,
  { email, password, session, device }: Login,
): Promise<SignInResult | null> {
  const now = clock.now();
  const row = await maybeOne(db, findLogin(email));
  const isValid = row
    ? await verifyPassword(row.password_hash, password)
    : await verifyDummyPassword(password);
  if (!row || !isValid) return null;
  const newSession = await db.tx(async (tx) => {
    // The password may have been changed since it was read: a session of the old one must not outlive the change.
    if (!(await maybeOne(tx, lockPassword(row.patient_id, row.password_hash)))) return null;
    await endSession(tx, session);
    return beginSession(tx, { patientId: row.patient_id, now, by: 'signed_in', device });
  });
  return newSession === null ? null : { person: toPersonDto(row), session: newSession };
}
