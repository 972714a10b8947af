import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { isoBase64URL } from '@simplewebauthn/server/helpers';
import type { MemberId } from '../../../../contract/brands.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { toUserHandle, type KnownAssertion } from '../../accounts/passkeys/authenticator-response.ts';
import { CHALLENGE_LIFETIME_MS } from '../../accounts/passkeys/challenge.ts';
import { requireRelyingParty, type RelyingParty } from '../../accounts/passkeys/relying-party.ts';
import { verifyAssertion } from '../../accounts/passkeys/verify-assertion.ts';
import { consumeMemberChallenge, createMemberChallenge, type ChallengePurpose } from './member-challenge.ts';
import * as statements from './passkeys.sql.ts';

export interface PasskeyUseDeps {
  db: Db;
  clock: Clock;
  party: RelyingParty | null;
}

/** Returns the options with which the browser uses a passkey: any that it has of us, or one of a member. */
export async function beginPasskeyUse(
  deps: PasskeyUseDeps,
  purpose: ChallengePurpose,
  memberId: MemberId | null = null,
): Promise<Record<string, unknown>> {
  const party = requireRelyingParty(deps.party);
  const own = memberId && (await deps.db.query(statements.findMemberPasskeys(memberId)));
  if (own?.length === 0) throw new Refusal(409, 'no_passkey', { detail: 'You have no passkey.' });
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: isoBase64URL.toBuffer(await createMemberChallenge(deps, purpose)),
    timeout: CHALLENGE_LIFETIME_MS,
    userVerification: 'required',
    ...(own && {
      allowCredentials: own.map(({ credential_id, transports }) => ({
        id: credential_id.toString('base64url'),
        transports,
      })),
    }),
  });
  return { ...options };
}

export interface UsedPasskey {
  passkey: statements.MemberPasskey;
  counter: number;
}

/** Verifies what an authenticator answered; `counter` is null for whatever is wrong, the passkey where it is known. */
export async function verifyPasskeyUse(
  deps: PasskeyUseDeps,
  purpose: ChallengePurpose,
  assertion: KnownAssertion,
): Promise<{ passkey: statements.MemberPasskey; counter: number | null } | null> {
  const challenge = await consumeMemberChallenge(deps, assertion.response.clientDataJSON, purpose);
  const passkey = await maybeOne(
    deps.db,
    statements.findMemberPasskey(Buffer.from(assertion.id, 'base64url')),
  );
  if (!passkey) return null;
  if (challenge === null || !namesOwner(assertion, passkey.member_id)) return { passkey, counter: null };
  const party = requireRelyingParty(deps.party);
  return { passkey, counter: await verifyAssertion(party, { assertion, passkey, challenge }) };
}

/** Whether the user handle, where there is one, is that of the member (WebAuthn §7.2, step 6). */
const namesOwner = ({ response: { userHandle } }: KnownAssertion, memberId: MemberId): boolean =>
  userHandle === undefined || userHandle === Buffer.from(toUserHandle(memberId)).toString('base64url');

/** Keeps the counter of a passkey that was used, in the transaction of what it permits; false for a copied or removed one. */
export async function keepPasskeyUse(tx: Tx, { passkey, counter }: UsedPasskey, now: Date): Promise<boolean> {
  const { member_id: memberId, passkey_id: passkeyId } = passkey;
  const used = { memberId, passkeyId, counter, now };
  return (await maybeOne(tx, statements.updateMemberPasskeyCounter(used))) !== null;
}
