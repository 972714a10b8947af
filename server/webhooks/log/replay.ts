import type { z } from 'zod';
import type { replayDeliveries } from '../../../contract/webhook-deliveries.ts';
import type { EventId } from '../../../contract/ids.ts';
import { invalidInput } from '../../kernel/refusal.ts';
import { one, type Db } from '../../storage/db.ts';
import { keyOf, report, type Change, type ChangeDeps } from '../registration/change-webhook.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { eventIdAt, FIRST_EVENT_ID } from '../events/event-id-range.ts';
import { demandActive, knownWebhook } from '../registration/known-webhook.ts';
import { countWithin, replayWithin, type Range } from './replay.sql.ts';
import type { WebhookKey } from '../registration/webhooks.sql.ts';

export interface ReplayDeps extends Pick<ChangeDeps, 'db' | 'clock' | 'audit'> {
  deliveries: Pick<Deliveries, 'wake'>;
}

type Wanted = z.infer<(typeof replayDeliveries)['body']>;

/** Deliveries in one statement: whoever settles one of them waits for it no longer than that takes. */
const BATCH = 10_000;

/** Answers how many deliveries are sent anew, or would be. Only counting is done for a webhook that is not active too. */
export async function replay(deps: ReplayDeps, change: Change, wanted: Wanted): Promise<number> {
  const { db, clock } = deps;
  const key = keyOf(change);
  const ranges = rangesOf(wanted, clock.now());
  const webhook = await knownWebhook(db, key);
  if (wanted.dryRun) {
    const counts = await Promise.all(ranges.map((range) => one(db, countWithin(key, range))));
    return counts.reduce((sum, { total }) => sum + total, 0);
  }
  demandActive(webhook);
  const { since, until, status } = wanted;
  await db.tx((tx) =>
    report(tx, deps, {
      caller: change.caller,
      row: webhook,
      action: 'webhook.replayed',
      detail: { since, until, status },
    }),
  );
  let count = 0;
  for (const range of ranges) count += await replayRange(deps, key, range);
  return count;
}

function rangesOf({ since, until, status }: Wanted, now: Date): Range[] {
  if (until !== undefined && Date.parse(until) < Date.parse(since))
    throw invalidInput([{ path: 'until', message: 'is before since' }]);
  const statuses = status ? [status] : (['exhausted', 'dropped'] as const);
  return statuses.map((each) => ({
    status: each,
    since: eventIdAt(new Date(since)),
    until: eventIdAt(until === undefined ? now : new Date(until)),
  }));
}

async function replayRange(
  { db, clock, deliveries }: { db: Db } & Pick<ReplayDeps, 'clock' | 'deliveries'>,
  key: WebhookKey,
  range: Range,
): Promise<number> {
  let count = 0;
  // What was sent anew may have come to the same state again: none is met twice.
  for (let after: EventId | null = FIRST_EVENT_ID; after !== null;) {
    const statement = replayWithin(key, range, { after, most: BATCH, now: clock.now() });
    // Beside the connections that everybody's statements share.
    const batch: { changed: number; last: EventId | null } = await db.tx((tx) => one(tx, statement));
    count += batch.changed;
    after = batch.last;
    if (batch.changed > 0) deliveries.wake();
  }
  return count;
}
