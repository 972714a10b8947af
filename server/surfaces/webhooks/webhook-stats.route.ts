import { toEndMoment, toFirstMoment } from '../../../contract/day-or-instant.ts';
import { defaultFrom } from '../../../contract/default-range.ts';
import * as contract from '../../../contract/webhooks/webhook-stats.ts';
import { getTimeZone } from '../../identity/organizations/time-zone.ts';
import type { Db } from '../../platform/db/db.ts';
import { consumeOrThrow, createNodeLimiter } from '../../platform/http/rate-limit.ts';
import { serve, type Routes } from '../../platform/http/serve.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { createGuard } from '../../platform/outbound/guard.ts';
import { describeFault } from './log/delivery-dto.ts';
import { findWebhookChanges } from './log/webhook-changes.ts';
import { measureWebhook, requireStatsRange } from './log/webhook-stats.ts';
import { findUrlFault } from './registration/check-url.ts';
import { requireVisibleWebhook, toWebhookKey } from './webhook-command.ts';

interface Deps {
  db: Db;
  clock: Clock;
  allowPrivate: boolean;
}

/** Of one organization, a minute, on each node: names cannot be resolved by the thousand. */
const CHECKS = { points: 30, duration: 60 };

/** Registers what helps to look after webhooks: statistics, and the check of an address. */
export function registerWebhookStatsRoutes(routes: Routes, { db, clock, allowPrivate }: Deps): void {
  const limiter = createNodeLimiter('webhook_check', CHECKS);
  const guard = createGuard({});
  serve(routes, contract.getWebhookStats, async ({ params: { webhookId }, caller, query }) => {
    const zone = await getTimeZone(db, caller.organizationId);
    const to = query.to === undefined ? clock.now() : toEndMoment(query.to, zone);
    const from = query.from === undefined ? defaultFrom(to) : toFirstMoment(query.from, zone);
    requireStatsRange({ from, to, bucket: query.bucket });
    await requireVisibleWebhook(db, { caller, webhookId });
    const range = { from, to, bucket: query.bucket, zone, reach: caller };
    const key = toWebhookKey({ caller, webhookId });
    const [measured, changes] = await Promise.all([
      measureWebhook(db, key, range),
      findWebhookChanges(db, key, range),
    ]);
    return { ...measured, changes };
  });
  serve(routes, contract.checkWebhookUrl, async ({ caller, body }) => {
    await consumeOrThrow(limiter, caller.organizationId, 'rate_limited');
    const fault = await findUrlFault({ guard, allowPrivate }, body.url);
    return { ok: fault === null, fault, message: fault && describeFault(fault) };
  });
}
