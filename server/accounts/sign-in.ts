import type { z } from 'zod';
import type { Person } from '../../contract/account.ts';
import type { LoginThrottle } from '../auth/login-throttle.ts';
import type { Clock } from '../kernel/clock.ts';
import { verifyNothing, verifyPassword } from '../kernel/password.ts';
import { Refusal } from '../kernel/refusal.ts';
import { loginByEmail } from '../patients/patients.sql.ts';
import { maybeOne, type Db } from '../storage/db.ts';
import { beginSession, endSession, personOf } from './session.ts';

export interface Deps {
  db: Db;
  clock: Clock;
  /** The one of `POST /v1/auth/token`, so that guesses here and there add up. */
  throttle: LoginThrottle;
}

interface Login {
  email: string;
  password: string;
  address: string;
  /** The session this browser had before. */
  session: string | null;
}

export interface Begun {
  person: z.infer<typeof Person>;
  session: string;
}

/** Begins a session under a secret of its own, whatever cookie the browser came with. */
export async function signIn(deps: Deps, login: Login): Promise<Begun> {
  const account = `email:${login.email.toLowerCase()}`;
  const begun = await deps.throttle.guard({ account, address: login.address }, () => attempt(deps, login));
  if (begun === null) throw new Refusal(401, 'invalid_credentials', { detail: 'The credentials are wrong.' });
  return begun;
}

async function attempt({ db, clock }: Deps, { email, password, session }: Login): Promise<Begun | null> {
  // Before the password is read: a session of one that is changed meanwhile is older than the change, hence none.
  const now = clock.now();
  const row = await maybeOne(db, loginByEmail(email));
  const right = row ? await verifyPassword(row.password_hash, password) : await verifyNothing(password);
  if (!row || !right) return null;
  const begun = await db.tx(async (tx) => {
    await endSession(tx, session);
    return beginSession(tx, row.patient_id, now);
  });
  return { person: personOf(row), session: begun };
}
