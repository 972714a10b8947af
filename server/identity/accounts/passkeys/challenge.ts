import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PatientId } from '../../../../contract/brands.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { hashSecret, generateSecret } from '../../../platform/kernel/secret.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { insertChallenge, deleteChallenge, type Challenge } from './passkeys.sql.ts';

/** How long a person may take to answer their device. */
export const CHALLENGE_LIFETIME_MS = 5 * 60_000;

interface Deps {
  db: Db;
  clock: Clock;
}

interface ChallengePurpose {
  /** The secret that the browser alone holds. */
  browser: string;
  /** The patient who adds a passkey; null for signing in. */
  patientId: PatientId | null;
}

const toStoredChallenge = (challenge: string, { browser, patientId }: ChallengePurpose): Challenge => ({
  hash: hashSecret(challenge),
  browserHash: createHash('sha256').update(browser).digest(),
  patientId,
});

/** Creates a challenge of 256 random bits as base64url, valid in one browser, once, for five minutes. */
export async function createChallenge({ db, clock }: Deps, purpose: ChallengePurpose): Promise<string> {
  const challenge = generateSecret('');
  await db.query(
    insertChallenge(
      toStoredChallenge(challenge, purpose),
      new Date(clock.now().getTime() + CHALLENGE_LIFETIME_MS),
    ),
  );
  return challenge;
}

/** Consumes and returns the challenge that an authenticator's response names; null when it does not match `purpose`. */
export async function consumeChallenge(
  { db, clock }: Deps,
  clientDataJSON: string,
  purpose: ChallengePurpose,
): Promise<string | null> {
  const challenge = parseChallenge(clientDataJSON);
  if (challenge === null) return null;
  const consumed = await maybeOne(db, deleteChallenge(toStoredChallenge(challenge, purpose), clock.now()));
  return consumed?.matches === true ? challenge : null;
}

/** The collected client data of WebAuthn §5.8.1, as far as it is read here. */
const ClientData = z.object({ challenge: z.string() });

/** Returns the challenge that collected client data names; null where it names none. */
export function parseChallenge(clientDataJSON: string): string | null {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
  } catch {
    return null;
  }
}
