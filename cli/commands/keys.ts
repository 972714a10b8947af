import type { Command } from 'commander';
import { rotateSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { rotateRefreshTokenKey } from '../../server/surfaces/oauth/tokens/refresh-token-keys.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { printResult, withDb } from '../with-db.ts';

/** `chartgate keys rotate` makes the published next key sign; the last one still verifies. Refresh tokens likewise. */
export function configureKeysCommand(command: Command): void {
  command
    .command('rotate')
    .description('sign with the next key; tokens of the last one stay valid')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      await withDb(async (db) => {
        const kid = await rotateSigningKeys({ db, clock: systemClock });
        await rotateRefreshTokenKey({ db, clock: systemClock });
        printResult(options, { kid }, [
          `Tokens are now signed with key ${kid}. Running nodes follow within a minute.`,
        ]);
      });
    });
}
