import { createHash } from 'node:crypto';
import type { SessionId } from '../../../../contract/brands.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateSecret, hashSecret } from '../../../platform/kernel/secret.ts';
import { CHALLENGE_LIFETIME_MS, parseChallenge } from '../../accounts/passkeys/challenge.ts';
import { deleteMemberChallenge, insertMemberChallenge, type MemberChallenge } from './passkeys.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
}

/** What a challenge is for, in which browser and which session. */
export type ChallengePurpose = { browser: string } & (
  | { purpose: 'sign_in' }
  | { purpose: 'add' | 'confirm'; sessionId: SessionId }
);

const toStoredChallenge = (challenge: string, { browser, ...rest }: ChallengePurpose): MemberChallenge => ({
  hash: hashSecret(challenge),
  browserHash: createHash('sha256').update(browser).digest(),
  purpose: rest.purpose,
  sessionId: rest.purpose === 'sign_in' ? null : rest.sessionId,
});

/** Creates a challenge of 256 random bits as base64url, valid once, for five minutes, where `purpose` says. */
export async function createMemberChallenge({ db, clock }: Deps, purpose: ChallengePurpose): Promise<string> {
  const challenge = generateSecret('');
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_LIFETIME_MS);
  await db.query(insertMemberChallenge(toStoredChallenge(challenge, purpose), expiresAt));
  return challenge;
}

/** Consumes and returns the challenge that an authenticator's response names; null when it does not match `purpose`. */
export async function consumeMemberChallenge(
  { db, clock }: Deps,
  clientDataJSON: string,
  purpose: ChallengePurpose,
): Promise<string | null> {
  const challenge = parseChallenge(clientDataJSON);
  if (challenge === null) return null;
  const stored = toStoredChallenge(challenge, purpose);
  const consumed = await maybeOne(db, deleteMemberChallenge(stored, clock.now()));
  return consumed?.matches === true ? challenge : null;
}
