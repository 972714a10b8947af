import type { z } from 'zod';
import type { replayDeliveries as contract } from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { EventId } from '../../../../contract/brands.ts';
import { invalidInput } from '../../../platform/kernel/refusal.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import { toWebhookKey, auditWebhook, type WebhookCommand, type WebhookDeps } from '../webhook-command.ts';
import type { DeliveryDispatcher } from '../delivery/delivery-dispatcher.ts';
import { eventIdFromTime, MIN_EVENT_ID } from '../events/event-id.ts';
import { requireActive, requireWebhook } from '../webhook-command.ts';
import { countInRange, replayBatch, type ReplayRange } from './deliveries.sql.ts';
import type { WebhookKey } from '../webhooks.sql.ts';

export interface ReplayDeps extends Pick<WebhookDeps, 'db' | 'clock' | 'audit'> {
  deliveries: Pick<DeliveryDispatcher, 'wake'>;
}

type ReplayInput = z.infer<(typeof contract)['body']>;

/** Deliveries that one statement resets: a node that settles one of them waits for the statement. */
const BATCH_SIZE = 10_000;

/**
 * Sends deliveries again and returns how many; a dry run only counts them, also for a webhook that is not active.
 */
export async function replayDeliveries(
  deps: ReplayDeps,
  command: WebhookCommand,
  input: ReplayInput,
): Promise<number> {
  const { db, clock } = deps;
  const key = toWebhookKey(command);
  const ranges = buildRanges(input, clock.now());
  const webhook = await requireWebhook(db, key);
  if (input.dryRun) {
    const counts = await Promise.all(ranges.map((range) => one(db, countInRange(key, range))));
    return counts.reduce((sum, { total }) => sum + total, 0);
  }
  requireActive(webhook);
  const { since, until, status } = input;
  await db.tx((tx) =>
    auditWebhook(tx, deps, {
      caller: command.caller,
      row: webhook,
      action: 'webhook.replayed',
      detail: { since, until, status },
    }),
  );
  let count = 0;
  for (const range of ranges) count += await replayRange(deps, key, range);
  return count;
}

function buildRanges({ since, until, status }: ReplayInput, now: Date): ReplayRange[] {
  if (until !== undefined && Date.parse(until) < Date.parse(since))
    throw invalidInput([{ path: 'until', message: 'is before since' }]);
  const statuses = status ? [status] : (['exhausted', 'dropped'] as const);
  return statuses.map((each) => ({
    status: each,
    since: eventIdFromTime(new Date(since)),
    until: eventIdFromTime(until === undefined ? now : new Date(until)),
  }));
}

async function replayRange(
  { db, clock, deliveries }: { db: Db } & Pick<ReplayDeps, 'clock' | 'deliveries'>,
  key: WebhookKey,
  range: ReplayRange,
): Promise<number> {
  let count = 0;
  // A delivery that was sent again may be in the same state again; the cursor keeps it from being reset twice.
  for (let after: EventId | null = MIN_EVENT_ID; after !== null;) {
    const statement = replayBatch(key, range, { after, limit: BATCH_SIZE, now: clock.now() });
    // A transaction uses a connection of its own, not one that other statements share.
    const batch: { changed: number; last: EventId | null } = await db.tx((tx) => one(tx, statement));
    count += batch.changed;
    after = batch.last;
    if (batch.changed > 0) deliveries.wake();
  }
  return count;
}
