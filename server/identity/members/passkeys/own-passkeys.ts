import { generateRegistrationOptions } from '@simplewebauthn/server';
import { isoBase64URL } from '@simplewebauthn/server/helpers';
import { MAX_PASSKEYS } from '../../../../contract/account/passkeys.ts';
import type { MemberSession } from '../../../../contract/audience.ts';
import type { PasskeyId } from '../../../../contract/brands.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { notFound, Refusal } from '../../../platform/kernel/refusal.ts';
import { Registration, toUserHandle } from '../../accounts/passkeys/authenticator-response.ts';
import { CHALLENGE_LIFETIME_MS } from '../../accounts/passkeys/challenge.ts';
import { requireRelyingParty, type RelyingParty } from '../../accounts/passkeys/relying-party.ts';
import {
  ALGORITHMS,
  verifyRegistration,
  type VerifiedCredential,
} from '../../accounts/passkeys/verify-registration.ts';
import { lockOwn } from '../own-credentials.ts';
import { renewRecoveryCodes } from '../second-factor.ts';
import { deleteMemberSessions } from '../sessions.sql.ts';
import { consumeMemberChallenge, createMemberChallenge } from './member-challenge.ts';
import * as statements from './passkeys.sql.ts';

export interface OwnPasskeyDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  party: RelyingParty | null;
}

/** A session, in the browser that it was begun in. */
export interface BrowserSession {
  session: MemberSession;
  /** The secret that the browser alone holds. */
  browser: string;
}

/** Returns the options with which the browser creates a passkey. */
export async function beginMemberPasskey(
  deps: OwnPasskeyDeps,
  { session, browser }: BrowserSession,
): Promise<Record<string, unknown>> {
  const party = requireRelyingParty(deps.party);
  const { subject: memberId, sessionId, email, name, organizationName } = session;
  const known = await deps.db.query(statements.findMemberPasskeys(memberId));
  if (known.length >= MAX_PASSKEYS) throw tooManyPasskeys();
  const challenge = await createMemberChallenge(deps, { browser, purpose: 'add', sessionId });
  const options = await generateRegistrationOptions({
    rpName: 'Chartgate',
    rpID: party.id,
    userID: toUserHandle(memberId),
    // A member may be a patient too: the device lists both logins of this host beside each other.
    userName: `${email} (${organizationName})`,
    userDisplayName: `${name} (${organizationName})`,
    challenge: isoBase64URL.toBuffer(challenge),
    timeout: CHALLENGE_LIFETIME_MS,
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

/**
 * Stores the passkey that the browser created. The first factor of a member ends every other session, which was begun without
 * one, and brings recovery codes.
 */
export async function addMemberPasskey(
  deps: OwnPasskeyDeps,
  own: BrowserSession,
  { name, response }: { name: string; response: unknown },
): Promise<{ id: PasskeyId; recoveryCodes: string[] | null }> {
  const credential = await readRegistration(deps, own, response);
  if (!credential) throw invalidPasskey();
  return deps.db.tx((tx) => savePasskey(tx, deps, { session: own.session, credential, name }));
}

async function readRegistration(
  deps: OwnPasskeyDeps,
  { session: { sessionId }, browser }: BrowserSession,
  input: unknown,
): Promise<VerifiedCredential | null> {
  const party = requireRelyingParty(deps.party);
  const { data: response } = Registration.safeParse(input);
  if (!response) return null;
  const purpose = { browser, purpose: 'add', sessionId } as const;
  const challenge = await consumeMemberChallenge(deps, response.response.clientDataJSON, purpose);
  return challenge === null ? null : verifyRegistration(party, { response, challenge });
}

interface NewPasskey {
  session: MemberSession;
  credential: VerifiedCredential;
  name: string;
}

async function savePasskey(
  tx: Tx,
  { clock, audit }: OwnPasskeyDeps,
  { session, credential, name }: NewPasskey,
): Promise<{ id: PasskeyId; recoveryCodes: string[] | null }> {
  const member = await lockOwn(tx, session);
  const { member_id: memberId, organization_id: organizationId } = member;
  if ((await tx.query(statements.findMemberPasskeys(memberId))).length >= MAX_PASSKEYS)
    throw tooManyPasskeys();
  const id = generateId<PasskeyId>();
  const passkey = { ...credential, memberId, passkeyId: id, name, now: clock.now() };
  if (!(await maybeOne(tx, statements.insertMemberPasskey(passkey))))
    throw new Refusal(409, 'known_passkey', { detail: 'This passkey is registered already.' });
  const isFirst = !member.has_factor;
  if (isFirst) await tx.query(deleteMemberSessions(memberId, session.sessionId));
  const recoveryCodes = isFirst ? await renewRecoveryCodes(tx, memberId) : null;
  await audit.write(tx, {
    organizationId,
    action: 'console.passkey_added',
    actor: { kind: 'member', id: memberId },
    detail: { passkeyId: id },
  });
  return { id, recoveryCodes };
}

/** Removes a passkey, unless nothing else is left to sign in with; sessions that it may have begun end. */
export function removeMemberPasskey(
  { db, audit }: OwnPasskeyDeps,
  session: MemberSession,
  passkeyId: PasskeyId,
): Promise<void> {
  return db.tx(async (tx) => {
    const member = await lockOwn(tx, session);
    const { member_id: memberId, organization_id: organizationId } = member;
    if (!(await maybeOne(tx, statements.deleteMemberPasskey(memberId, passkeyId))))
      throw notFound('The passkey');
    const hasOther = (await tx.query(statements.findMemberPasskeys(memberId))).length > 0;
    if (!hasOther && member.totp_secret === null)
      throw new Refusal(409, 'last_factor', {
        detail: 'This is your only second factor; add another passkey or an authenticator app first.',
      });
    await tx.query(deleteMemberSessions(memberId, session.sessionId));
    await audit.write(tx, {
      organizationId,
      action: 'console.passkey_removed',
      actor: { kind: 'member', id: memberId },
      detail: { passkeyId },
    });
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
