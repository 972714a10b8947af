import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { purgeClients } from './clients/find-client.ts';
import { purgeRefreshTokenKeys } from './grants/refresh-token-keys.sql.ts';
import { purgeRequests } from './requests/requests.sql.ts';

const DAY_MS = 24 * 3600 * 1000;

/** No refresh token that a key made lives longer than its grant: 90 days. The newest key always stays. */
const KEY_RETENTION_DAYS = 91;

/** Forgets clients that never asked, requests that are over, and keys whose tokens are. */
export async function purgeOAuth(deps: { db: Db; clock: Clock }): Promise<void> {
  const daysAgo = (days: number): Date => new Date(deps.clock.now().getTime() - days * DAY_MS);
  await purgeClients(deps);
  await deps.db.query(purgeRequests(daysAgo(1)));
  await deps.db.query(purgeRefreshTokenKeys(daysAgo(KEY_RETENTION_DAYS)));
}
