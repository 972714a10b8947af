import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { wasAppConnected } from '../../consent/grants/app-grants.sql.ts';
import { deleteUnusedApps } from './apps/apps.sql.ts';
import { purgeClients } from './clients/client-directory.ts';
import { deleteReplacedKeys } from './tokens/refresh-token-keys.sql.ts';
import { purgeRequests } from './requests/requests.sql.ts';

const DAY_MS = 24 * 3600 * 1000;

/** No refresh token outlives its grant, which lasts 90 days. The newest key always stays. */
const KEY_RETENTION_DAYS = 91;

/** How long an app stays listed that asked and was neither let in nor judged. */
const APP_RETENTION_DAYS = 30;

/** Deletes apps that nobody let in, clients that never requested an authorization, expired requests, and keys whose tokens have all expired. */
export async function purgeOAuth(deps: { db: Db; clock: Clock }): Promise<void> {
  const daysAgo = (days: number): Date => new Date(deps.clock.now().getTime() - days * DAY_MS);
  await purgeClients(deps);
  await deps.db.query(purgeRequests(daysAgo(1)));
  await deps.db.query(deleteUnusedApps(daysAgo(APP_RETENTION_DAYS), wasAppConnected));
  await deps.db.query(deleteReplacedKeys(daysAgo(KEY_RETENTION_DAYS)));
}
