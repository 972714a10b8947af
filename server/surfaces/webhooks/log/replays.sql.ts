import type { EventId, WebhookReplayId } from '../../../../contract/brands.ts';
import type { DeliveryStatus } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { raw, sql } from '../../../platform/db/sql.ts';
import type { WebhookKey } from '../webhooks.sql.ts';
import { assignDueNow, assignReset, hasState } from './deliveries.sql.ts';

/** Deliveries in one state, of events emitted from `since` on and before `until`. */
export interface ReplayRange {
  status: Exclude<DeliveryStatus, 'pending'>;
  since: EventId;
  until: EventId;
}

export interface ReplayKey extends WebhookKey {
  replayId: WebhookReplayId;
}

const isOfWebhook = ({ organizationId, webhookId }: WebhookKey) => sql`
  d.organization_id = ${organizationId} and d.webhook_id = ${webhookId}`;

/**
 * Test events are sent once, when somebody asks for one: a receiver that catches up is sent none of them. The type is looked up
 * by the key of each row, which no plan can turn into a comparison of all with all.
 */
const isInRange = (webhook: WebhookKey, range: ReplayRange) => sql`
  ${isOfWebhook(webhook)} and ${hasState(range.status && [range.status])}
  and d.event_id >= ${range.since} and d.event_id < ${range.until} and d.leased_by is null
  and (select v.type from webhook_event v
    where v.organization_id = d.organization_id and v.event_id = d.event_id) is distinct from 'webhook.test'`;

export const countInRange = (webhook: WebhookKey, range: ReplayRange) => sql<{ total: number }>`
  select count(*) as total from webhook_delivery d where ${isInRange(webhook, range)}`;

/**
 * A condition on a row `d` of `webhook_delivery`: it is one of `chosen`, by its whole key. With the webhook's id as a constant, a
 * webhook of which the planner knows no rows yet would be joined row by row with all that are chosen: 7 s for 3,000
 * deliveries, and four times that for twice as many.
 */
const isChosen = raw(`d.organization_id = chosen.organization_id and d.webhook_id = chosen.webhook_id
      and d.event_id = chosen.event_id`);

/** Replays the next deliveries after `after`; returns how many, and the last of them. Each remembers what it was. */
export const replayBatch = (
  replay: ReplayKey,
  range: ReplayRange,
  { after, limit, now }: { after: EventId; limit: number; now: Date },
) => sql<{ changed: number; last: EventId | null }>`
  with chosen as (
    select d.organization_id, d.webhook_id, d.event_id from webhook_delivery d where ${isInRange(replay, range)} and d.event_id > ${after}
    order by d.event_id limit ${limit} for update),
  changed as (
    update webhook_delivery d set ${range.status === 'retrying' ? assignDueNow(now) : assignReset(now)},
      before_replay = jsonb_build_object('replayId', ${replay.replayId}::text, 'state', d.state, 'reason', d.reason,
        'attempts', d.attempts, 'firstFailedAt', d.first_failed_at, 'dueAt', d.due_at, 'changedAt', d.changed_at)
    from chosen where ${isChosen}
    returning d.event_id)
  select count(*) as changed, max(event_id) as last from changed`;

/** A condition on a row `d` of `webhook_delivery`: a replay has made it due, and no attempt has ended since. */
const waitsForReplay = raw(`d.state in ('pending', 'retrying') and case d.before_replay ->> 'state'
    when 'retrying' then d.state = 'retrying' and d.attempts = (d.before_replay ->> 'attempts')::integer
    else d.before_replay is not null and d.state = 'pending' end`);

/** Makes deliveries of a replay what they were before it, so many at most; those that are being attempted stay. */
export const takeBackBatch = (replay: ReplayKey, limit: number) => sql<{ changed: number }>`
  with chosen as (
    select d.organization_id, d.webhook_id, d.event_id from webhook_delivery d
    where ${isOfWebhook(replay)} and ${waitsForReplay} and d.leased_by is null
      and d.before_replay ->> 'replayId' = ${replay.replayId}::text
    limit ${limit} for update),
  changed as (
    update webhook_delivery d set state = d.before_replay ->> 'state', reason = d.before_replay ->> 'reason',
      attempts = (d.before_replay ->> 'attempts')::integer, claims = 0,
      first_failed_at = (d.before_replay ->> 'firstFailedAt')::timestamptz,
      due_at = (d.before_replay ->> 'dueAt')::timestamptz,
      changed_at = (d.before_replay ->> 'changedAt')::timestamptz, before_replay = null
    from chosen where ${isChosen}
    returning d.event_id)
  select count(*) as changed from changed`;

export const insertReplay = ({ organizationId, webhookId, replayId }: ReplayKey, now: Date) => sql`
  insert into webhook_replay (organization_id, webhook_id, replay_id, started_at)
  values (${organizationId}, ${webhookId}, ${replayId}, ${now})`;

const isReplay = ({ organizationId, webhookId, replayId }: ReplayKey) => sql`
  organization_id = ${organizationId} and webhook_id = ${webhookId} and replay_id = ${replayId}`;

/** Locks a replay until the transaction ends: whoever stops it waits for what is sent again meanwhile. */
export const lockReplay = (replay: ReplayKey) => sql<{ stopped_at: Date | null }>`
  select stopped_at from webhook_replay where ${isReplay(replay)} for update`;

export const addReplayed = (replay: ReplayKey, count: number) => sql`
  update webhook_replay set deliveries = deliveries + ${count} where ${isReplay(replay)}`;

export const updateStopped = (replay: ReplayKey, now: Date) => sql`
  update webhook_replay set stopped_at = ${now} where ${isReplay(replay)}`;

export const addTakenBack = (replay: ReplayKey, count: number) => sql`
  update webhook_replay set taken_back = taken_back + ${count} where ${isReplay(replay)}`;

export interface ReplayRow {
  replay_id: WebhookReplayId;
  started_at: Date;
  deliveries: number;
  stopped_at: Date | null;
  taken_back: number;
  waiting: number;
}

/** Selects the replays of a webhook that sent something again, newest first, with what still waits of each. */
export const selectReplays = ({ organizationId, webhookId }: WebhookKey, limit: number) => sql<ReplayRow>`
  with waiting as (
    select d.before_replay ->> 'replayId' as replay_id, count(*) as total from webhook_delivery d
    where ${isOfWebhook({ organizationId, webhookId })} and ${waitsForReplay} group by 1)
  select r.replay_id, r.started_at, r.deliveries, r.stopped_at, r.taken_back, coalesce(waiting.total, 0) as waiting
  from webhook_replay r left join waiting on waiting.replay_id = r.replay_id::text
  where r.organization_id = ${organizationId} and r.webhook_id = ${webhookId} and r.deliveries > 0
  order by r.started_at desc, r.replay_id desc limit ${limit}`;

export const deleteReplays = ({ organizationId, webhookId }: WebhookKey) => sql`
  delete from webhook_replay where organization_id = ${organizationId} and webhook_id = ${webhookId}`;

export const deleteReplaysBefore = (before: Date) =>
  sql`delete from webhook_replay where started_at < ${before}`;
