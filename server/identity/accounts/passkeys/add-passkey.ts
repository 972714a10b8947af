import { findFromName } from '../../patients/only-organization.ts';
import { MAX_PASSKEYS, RECENT_SIGN_IN_MINUTES } from '../../../../contract/account/passkeys.ts';
import { generateRegistrationOptions } from '@simplewebauthn/server';
import { isoBase64URL } from '@simplewebauthn/server/helpers';
import type { PasskeyId, PatientId } from '../../../../contract/brands.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { forbidden, Refusal } from '../../../platform/kernel/refusal.ts';
import { MAIL_JOB, type Mail } from '../../../platform/mail/mail.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import type { PatientSession } from '../../../../contract/audience.ts';
import { notSignedIn } from '../../../platform/http/access.ts';
import { hasSession, insertAccountEvent } from '../accounts.sql.ts';
import { Registration, toUserHandle } from './authenticator-response.ts';
import { consumeChallenge, createChallenge } from './challenge.ts';
import { renderPasskeyMail } from './passkey-mail.ts';
import * as statements from './passkeys.sql.ts';
import { requireRelyingParty, type RelyingParty } from './relying-party.ts';
import { ALGORITHMS, verifyRegistration, type VerifiedCredential } from './verify-registration.ts';

export interface PasskeyDeps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  party: RelyingParty | null;
}

export interface PasskeyRegistration {
  session: PatientSession;
  /** The secret that the browser alone holds. */
  browser: string;
}

const RECENT_MS = RECENT_SIGN_IN_MINUTES * 60_000;

/** Returns the options with which the browser creates a passkey. */
export async function beginPasskey(
  deps: PasskeyDeps,
  { session, browser }: PasskeyRegistration,
): Promise<Record<string, unknown>> {
  const party = requireRelyingParty(deps.party);
  const { patientId } = session;
  if (session.testOrganizationId !== null)
    throw forbidden('Only the organization of a test patient manages how it signs in.', 'test_patient');
  if (session.seenAt.getTime() - session.signedInAt.getTime() > RECENT_MS)
    throw forbidden('Sign in again to add a passkey.', 'sign_in_again');
  const known = await deps.db.query(statements.findPasskeys(patientId));
  if (known.length >= MAX_PASSKEYS) throw tooManyPasskeys();
  const options = await generateRegistrationOptions({
    rpName: 'Chartgate',
    rpID: party.id,
    userID: toUserHandle(patientId),
    userName: session.person.email,
    userDisplayName: `${session.person.firstName} ${session.person.lastName}`,
    challenge: isoBase64URL.toBuffer(await createChallenge(deps, { browser, patientId })),
    timeout: 5 * 60_000,
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports,
    })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { ...options };
}

interface NewPasskey {
  name: string;
  response: unknown;
  /** The session that adds it. */
  sessionHash: Buffer;
  device: string;
}

/** Stores the passkey that the browser created, and notifies the person by mail. */
export async function addPasskey(
  deps: PasskeyDeps,
  { session, browser }: PasskeyRegistration,
  { name, response, ...where }: NewPasskey,
): Promise<PasskeyId> {
  const { patientId } = session;
  const credential = await readRegistration(deps, { patientId, browser }, response);
  if (!credential) throw invalidPasskey();
  const passkeyId = generateId<PasskeyId>();
  const passkey = { ...credential, patientId, passkeyId, name, now: deps.clock.now() };
  await deps.db.tx((tx) => savePasskey(tx, deps, { passkey, ...where, email: session.person.email }));
  return passkeyId;
}

/** Takes the challenge that the response names and verifies it; returns null for whatever is wrong. */
async function readRegistration(
  deps: PasskeyDeps,
  purpose: { patientId: PatientId; browser: string },
  input: unknown,
): Promise<VerifiedCredential | null> {
  const party = requireRelyingParty(deps.party);
  const { data: response } = Registration.safeParse(input);
  if (!response) return null;
  const challenge = await consumeChallenge(deps, response.response.clientDataJSON, purpose);
  return challenge === null ? null : verifyRegistration(party, { response, challenge });
}

interface SavedPasskey extends Pick<NewPasskey, 'sessionHash' | 'device'> {
  passkey: statements.NewPasskey;
  email: string;
}

async function savePasskey(
  tx: Tx,
  { jobs }: PasskeyDeps,
  { passkey, email, sessionHash, device }: SavedPasskey,
): Promise<void> {
  const { patientId, credentialId, now: at } = passkey;
  const account = await maybeOne(tx, statements.lockAccount(patientId));
  if (!account) throw invalidPasskey();
  // The password was changed since the request came: what the session before it adds would outlive the change.
  if (!(await maybeOne(tx, hasSession(patientId, sessionHash)))) throw notSignedIn();
  if ((await tx.query(statements.findPasskeys(patientId))).length >= MAX_PASSKEYS) throw tooManyPasskeys();
  if (!(await maybeOne(tx, statements.claimCredential(credentialId, patientId))))
    throw new Refusal(409, 'known_passkey', { detail: 'This passkey is registered already.' });
  await tx.query(statements.insertPasskey(passkey));
  await tx.query(insertAccountEvent({ patientId, kind: 'passkey_added', device, at }));
  await jobs.enqueue<Mail>(tx, {
    kind: MAIL_JOB,
    uniqueKey: generateId(),
    payload: {
      ...renderPasskeyMail({ to: email, language: account.language?.startsWith('es') ? 'es' : 'en' }),
      ...(await findFromName(tx, patientId)),
      about: { mail: 'passkey-added' },
    },
  });
}

const tooManyPasskeys = (): Refusal =>
  new Refusal(409, 'too_many_passkeys', {
    detail: `There are ${MAX_PASSKEYS} passkeys already; remove one first.`,
  });

/** Builds the same refusal whatever was wrong. */
const invalidPasskey = (): Refusal =>
  new Refusal(400, 'invalid_passkey', {
    detail: 'The passkey does not match the request; begin again.',
  });
