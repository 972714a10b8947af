import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { isoBase64URL } from '@simplewebauthn/server/helpers';
import type { LoginThrottle } from '../../tokens/login-throttle.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { beginSession, endSession, toPersonDto } from '../session.ts';
import type { SignInResult } from '../sign-in.ts';
import { Assertion, toUserHandle } from './authenticator-response.ts';
import { consumeChallenge, createChallenge } from './challenge.ts';
import * as statements from './passkeys.sql.ts';
import { requireRelyingParty, type RelyingParty } from './relying-party.ts';
import { verifyAssertion } from './verify-assertion.ts';

interface Deps {
  db: Db;
  clock: Clock;
  throttle: LoginThrottle;
  party: RelyingParty | null;
}

/** Returns the options with which the browser offers the passkeys that it has for us; nobody types a name. */
export async function beginPasskeySignIn(deps: Deps, browser: string): Promise<Record<string, unknown>> {
  const party = requireRelyingParty(deps.party);
  const challenge = await createChallenge(deps, { browser, patientId: null });
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: isoBase64URL.toBuffer(challenge),
    timeout: 5 * 60_000,
    userVerification: 'required',
  });
  return { ...options };
}

interface Login {
  response: unknown;
  browser: string;
  address: string;
  requestId: string;
  /** The cookie of the session that this browser had before. */
  session: string | null;
  device: string;
}

/** Begins a session; throws the same refusal whatever was wrong. */
export async function signInByPasskey(deps: Deps, login: Login): Promise<SignInResult> {
  const { data: assertion } = Assertion.safeParse(login.response);
  const account = `passkey:${assertion?.id ?? ''}`;
  const { address, requestId } = login;
  const result = await deps.throttle.guardSecret({ account, address, requestId }, async () =>
    assertion ? attemptSignIn(deps, login, assertion) : null,
  );
  if (result === null)
    throw new Refusal(401, 'invalid_credentials', { detail: 'The credentials are wrong.' });
  return result;
}

async function attemptSignIn(deps: Deps, login: Login, assertion: Assertion): Promise<SignInResult | null> {
  // Taken before anything is read: a session that began before a change of the password is not valid.
  const now = deps.clock.now();
  const { browser, session, device } = login;
  const challenge = await consumeChallenge(deps, assertion.response.clientDataJSON, {
    browser,
    patientId: null,
  });
  if (challenge === null) return null;
  const passkey = await findPasskey(deps, assertion);
  if (!passkey) return null;
  const counter = await verifyAssertion(requireRelyingParty(deps.party), { assertion, passkey, challenge });
  if (counter === null) return null;
  const { patient_id: patientId, passkey_id: passkeyId } = passkey;
  return deps.db.tx(async (tx) => {
    if (!(await maybeOne(tx, statements.updatePasskeyCounter({ patientId, passkeyId, counter, now }))))
      return null;
    await endSession(tx, session);
    const newSession = await beginSession(tx, { patientId, now, by: 'signed_in_by_passkey', device });
    return { person: toPersonDto(passkey), session: newSession };
  });
}

/** Returns the passkey of the credential; null unless the authenticator's user handle names its owner. */
async function findPasskey(
  { db }: Deps,
  { id, response: { userHandle } }: Assertion,
): Promise<statements.SignInRow | null> {
  const credentialId = Buffer.from(id, 'base64url');
  const route = await maybeOne(db, statements.findCredentialOwner(credentialId));
  if (!route || userHandle !== Buffer.from(toUserHandle(route.patient_id)).toString('base64url')) return null;
  return maybeOne(db, statements.findPasskeyForSignIn(route.patient_id, credentialId));
}
