import type { Command } from 'commander';
import { TOKEN_LIFETIME_SECONDS } from '../../server/identity/tokens/access-token.ts';
import { maybeOne, type Db } from '../../server/platform/db/db.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { Refusal } from '../../server/platform/kernel/refusal.ts';
import { rotateSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { findLastRotation } from '../../server/platform/keys/signing-keys.sql.ts';
import { rotateRefreshTokenKey } from '../../server/surfaces/oauth/tokens/refresh-token-keys.ts';
import { printResult, withDb } from '../with-db.ts';

interface Options {
  force?: boolean;
  json?: boolean;
}

/** `chartgate keys rotate` makes the published next key sign; the last one still verifies. Refresh tokens likewise. */
export function configureKeysCommand(command: Command): void {
  command
    .command('rotate')
    .description('sign with the next key; tokens of the last one stay valid')
    .option('--force', 'also within an hour of the last time, which ends tokens that are in use')
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      await withDb(async (db) => {
        if (options.force !== true) await requireEndedTokens(db, systemClock.now());
        await rotateRefreshTokenKey({ db, clock: systemClock });
        const kid = await rotateSigningKeys({ db, clock: systemClock });
        printResult(options, { kid }, [
          `Tokens are now signed with key ${kid}. Running nodes follow within a minute.`,
        ]);
      });
    });
}

/** Nodes follow a rotation within this time, and sign with the key of before until then. */
const FOLLOWED_SECONDS = 60;

/** Throws where the key that a rotation retires has signed tokens that have not expired: all of them would be refused. */
async function requireEndedTokens(db: Db, now: Date): Promise<void> {
  const last = await maybeOne(db, findLastRotation());
  if (last === null) return;
  const endsAt = new Date(last.rotated_at.getTime() + (TOKEN_LIFETIME_SECONDS + FOLLOWED_SECONDS) * 1000);
  if (endsAt <= now) return;
  throw new Refusal(409, 'rotated_recently', {
    detail: `Keys were rotated at ${last.rotated_at.toISOString()}, and tokens from before are in use: rotating again would end them. Rotate after ${endsAt.toISOString()}; or, where a key has leaked, at once with --force.`,
  });
}
