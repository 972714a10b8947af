import { createFairLine } from '../../platform/kernel/fair-line.ts';
import { hashPassword } from '../../platform/kernel/password.ts';
import { createRankedLine, type RankedLine } from '../../platform/kernel/ranked-line.ts';
import { tooBusy } from '../../platform/kernel/refusal.ts';

/** The line in front of argon2, which takes 20 ms of a core and 19 MiB a time: 1,200 guesses at once took 45 s. */
export interface PasswordLine extends RankedLine {
  /**
   * Hashes a new password, for a caller who proved to be permitted; it waits for as long as it takes. `by`: who asks for it.
   * Those who ask for many have one turn while others wait: 600 test patients at once held up a person's for 50 s.
   */
  hash(password: string, by: string): Promise<string>;
}

const CONCURRENCY = 4;

/** Two seconds of work for one core. */
const MAX_WAITING = 100;

/** New passwords in the line at a time, so that a thousand test patients at once leave places for those who sign in. */
const MAX_NEW_PASSWORDS = 2;

/** The rank before all who guess: never the one that finds the line full. */
export const FIRST = -1;

export function createPasswordLine(): PasswordLine {
  const line = createRankedLine({ concurrency: CONCURRENCY, maxWaiting: MAX_WAITING, createError: tooBusy });
  const newPasswords = createFairLine(MAX_NEW_PASSWORDS);
  return {
    ...line,
    hash: (password, by) => newPasswords.run(by, () => line.run(FIRST, () => hashPassword(password))),
  };
}
