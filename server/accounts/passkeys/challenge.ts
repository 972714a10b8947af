import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PatientId } from '../../../contract/ids.ts';
import type { Clock } from '../../kernel/clock.ts';
import { hashSecret, newSecret } from '../../kernel/secret.ts';
import { maybeOne, type Db } from '../../storage/db.ts';
import { insertChallenge, takeChallenge, type Challenge } from './passkeys.sql.ts';

const LIFE_MS = 5 * 60_000;

interface Deps {
  db: Db;
  clock: Clock;
}

interface For {
  /** The secret that the browser alone holds. */
  browser: string;
  /** Who adds a passkey; null for signing in. */
  patientId: PatientId | null;
}

const stored = (challenge: string, { browser, patientId }: For): Challenge => ({
  hash: hashSecret(challenge),
  browserHash: createHash('sha256').update(browser).digest(),
  patientId,
});

/** 256 random bits as base64url, for one browser, once, within five minutes. */
export async function newChallenge({ db, clock }: Deps, to: For): Promise<string> {
  const challenge = newSecret('');
  await db.query(insertChallenge(stored(challenge, to), new Date(clock.now().getTime() + LIFE_MS)));
  return challenge;
}

/** The challenge that the answer of an authenticator names, which it uses up; null when it does not fit. */
export async function answeredChallenge(
  { db, clock }: Deps,
  clientDataJSON: string,
  from: For,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === null) return null;
  const taken = await maybeOne(db, takeChallenge(stored(challenge, from), clock.now()));
  return taken?.fits === true ? challenge : null;
}

/** WebAuthn §5.8.1. */
const ClientData = z.object({ challenge: z.string() });

function challengeIn(clientDataJSON: string): string | null {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
  } catch {
    return null;
  }
}
