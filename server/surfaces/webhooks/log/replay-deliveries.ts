import type { z } from 'zod';
import type { replayDeliveries as contract } from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { EventId, WebhookReplayId } from '../../../../contract/brands.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { invalidInput, notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne, one, type Db } from '../../../platform/db/db.ts';
import { toWebhookKey, auditWebhook, type WebhookCommand, type WebhookDeps } from '../webhook-command.ts';
import type { DeliveryDispatcher } from '../delivery/delivery-dispatcher.ts';
import { eventIdFromTime, MIN_EVENT_ID } from '../events/event-id.ts';
import { requireActive, requireWebhook } from '../webhook-command.ts';
import * as statements from './replays.sql.ts';
import type { ReplayKey, ReplayRange } from './replays.sql.ts';

export interface ReplayDeps extends Pick<WebhookDeps, 'db' | 'clock' | 'audit'> {
  deliveries: Pick<DeliveryDispatcher, 'wake'>;
}

type ReplayInput = z.infer<(typeof contract)['body']>;

/** Deliveries that one statement resets: a node that settles one of them waits for the statement. */
const BATCH_SIZE = 10_000;

interface ReplayResult {
  count: number;
  /** null: it was only counted. */
  replayId: WebhookReplayId | null;
}

/** Sends deliveries again and returns how many; a dry run only counts them, also for a webhook that is not active. */
export async function replayDeliveries(
  deps: ReplayDeps,
  command: WebhookCommand,
  input: ReplayInput,
): Promise<ReplayResult> {
  const { db, clock } = deps;
  const key = toWebhookKey(command);
  const ranges = buildRanges(input, clock.now());
  const webhook = await requireWebhook(db, key);
  if (input.dryRun) {
    const counts = await Promise.all(ranges.map((range) => one(db, statements.countInRange(key, range))));
    return { count: counts.reduce((sum, { total }) => sum + total, 0), replayId: null };
  }
  requireActive(webhook);
  const { since, until, status } = input;
  const replay: ReplayKey = { ...key, replayId: generateId<WebhookReplayId>() };
  await db.tx(async (tx) => {
    await tx.query(statements.insertReplay(replay, clock.now()));
    await auditWebhook(tx, deps, {
      caller: command.caller,
      row: webhook,
      action: 'webhook.replayed',
      detail: { since, until, status, replayId: replay.replayId },
    });
  });
  let count = 0;
  for (const range of ranges) count += await replayRange(deps, replay, range);
  return { count, replayId: replay.replayId };
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

/** Stops early where somebody stops the replay meanwhile. */
async function replayRange(
  { db, clock, deliveries }: { db: Db } & Pick<ReplayDeps, 'clock' | 'deliveries'>,
  replay: ReplayKey,
  range: ReplayRange,
): Promise<number> {
  let count = 0;
  // A delivery that was sent again may be in the same state again; the cursor keeps it from being reset twice.
  for (let after: EventId | null = MIN_EVENT_ID; after !== null;) {
    const statement = statements.replayBatch(replay, range, { after, limit: BATCH_SIZE, now: clock.now() });
    // A transaction uses a connection of its own, not one that other statements share.
    const batch: { changed: number; last: EventId | null } = await db.tx(async (tx) => {
      const running = await maybeOne(tx, statements.lockReplay(replay));
      if (running?.stopped_at !== null) return { changed: 0, last: null };
      const changed = await one(tx, statement);
      await tx.query(statements.addReplayed(replay, changed.changed));
      return changed;
    });
    count += batch.changed;
    after = batch.last;
    if (batch.changed > 0) deliveries.wake();
  }
  return count;
}

/**
 * Takes back the deliveries of a replay that no attempt was made of: each is what it was before. Returns how many. A second
 * time takes back those that were being attempted at the first, and came to nothing because their node ended.
 */
export async function stopReplay(
  deps: Pick<ReplayDeps, 'db' | 'clock' | 'audit'>,
  command: WebhookCommand,
  replayId: WebhookReplayId,
): Promise<number> {
  const { db, clock } = deps;
  const replay: ReplayKey = { ...toWebhookKey(command), replayId };
  const webhook = await requireWebhook(db, replay);
  await db.tx(async (tx) => {
    const found = await maybeOne(tx, statements.lockReplay(replay));
    if (!found) throw notFound('The replay');
    if (found.stopped_at !== null) return;
    await tx.query(statements.updateStopped(replay, clock.now()));
    await auditWebhook(tx, deps, {
      caller: command.caller,
      row: webhook,
      action: 'webhook.replay_stopped',
      detail: { replayId },
    });
  });
  let count = 0;
  for (let changed = BATCH_SIZE; changed === BATCH_SIZE; count += changed)
    changed = await db.tx(async (tx) => {
      const batch = await one(tx, statements.takeBackBatch(replay, BATCH_SIZE));
      await tx.query(statements.addTakenBack(replay, batch.changed));
      return batch.changed;
    });
  return count;
}
