import type {
  AttemptFault,
  DeliveryReason,
  DeliveryStatus,
} from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { EventId, OrganizationId, WebhookId } from '../../../../contract/brands.ts';
import { integerArray, textArray } from '../../../platform/db/array-values.ts';
import { sql, type Sql } from '../../../platform/db/sql.ts';

/** One attempt in the log. */
export interface AttemptRow {
  organization_id: OrganizationId;
  webhook_id: WebhookId;
  event_id: EventId;
  attempt_id: string;
  delivery_attempt: number;
  attempted_at: Date;
  duration_ms: number;
  url: string;
  /** null: acknowledged. */
  fault: AttemptFault | null;
  status: number | null;
  /** JSON. */
  response_headers: string | null;
  response_body: string | null;
  response_truncated: boolean | null;
}

/** The next state of the delivery. */
export interface DeliveryOutcome {
  state: Exclude<DeliveryStatus, 'pending' | 'dropped'>;
  reason: DeliveryReason | null;
  attempts: number;
  firstFailedAt: Date | null;
  dueAt: Date;
  /** Whether the attempt counts for the endpoint's health: that of a test event does not. */
  affectsHealth: boolean;
}

export interface DeliveryResult {
  /** null: no attempt was made. */
  attempt: AttemptRow | null;
  delivery: Pick<AttemptRow, 'organization_id' | 'webhook_id' | 'event_id'>;
  outcome: DeliveryOutcome;
  at: Date;
}

/** `moved`: a URL answered 410 that the webhook no longer has. */
const unnestResults = (results: readonly DeliveryResult[]) => {
  const texts = (read: (result: DeliveryResult) => string | null | undefined): Sql =>
    textArray(results.map((result) => read(result) ?? null));
  const times = (read: (result: DeliveryResult) => Date | null | undefined): Sql =>
    sql`${texts((result) => read(result)?.toISOString())}::timestamptz[]`;
  const integers = (read: (result: DeliveryResult) => number | null | undefined): Sql =>
    integerArray(results.map((result) => read(result) ?? null));
  return sql`
    select r.*, coalesce(r.fault = 'gone', false) and exists (
      select from webhook w
      where w.organization_id = r.organization_id and w.webhook_id = r.webhook_id and w.url <> r.url) as moved
    from unnest(
      ${texts(({ delivery }) => delivery.organization_id)}::uuid[], ${texts(({ delivery }) => delivery.webhook_id)}::uuid[],
      ${texts(({ delivery }) => delivery.event_id)}, ${texts(({ outcome }) => outcome.state)},
      ${texts(({ outcome }) => outcome.reason)}, ${integers(({ outcome }) => outcome.attempts)},
      ${times(({ outcome }) => outcome.firstFailedAt)}, ${times(({ outcome }) => outcome.dueAt)},
      ${integers(({ outcome }) => Number(outcome.affectsHealth))}::boolean[], ${times(({ at }) => at)},
      ${texts(({ attempt }) => attempt?.attempt_id)}::uuid[], ${integers(({ attempt }) => attempt?.delivery_attempt)},
      ${times(({ attempt }) => attempt?.attempted_at)}, ${integers(({ attempt }) => attempt?.duration_ms)},
      ${texts(({ attempt }) => attempt?.url)}, ${texts(({ attempt }) => attempt?.fault)},
      ${integers(({ attempt }) => attempt?.status)}, ${texts(({ attempt }) => attempt?.response_headers)}::json[],
      ${texts(({ attempt }) => attempt?.response_body)}, ${integers(({ attempt }) => toBit(attempt?.response_truncated))}::boolean[])
    as r(organization_id, webhook_id, event_id, state, reason, attempts, first_failed_at, due_at, counts, at, attempt_id,
      delivery_attempt, attempted_at, duration_ms, url, fault, status, response_headers, response_body,
      response_truncated)`;
};

/** There is no array of booleans in binary. */
const toBit = (value: boolean | null | undefined): number | null =>
  typeof value === 'boolean' ? Number(value) : null;

/**
 * Writes many results in one statement: the next state of each delivery that this node still leases, the attempts, and
 * where it changes the health of the endpoint. An answer of a URL that the webhook no longer has does not count.
 */
export const insertResults = (results: readonly DeliveryResult[], worker: string) => sql`
  with result as (
    ${unnestResults(results)}),
  settled as (
    update webhook_delivery d set state = case when r.moved then 'retrying' else r.state end,
      reason = case when r.moved then null else r.reason end, attempts = r.attempts, claims = 0,
      first_failed_at = r.first_failed_at, due_at = r.due_at, leased_by = null, leased_until = null,
      changed_at = r.at
    from result r
    where d.organization_id = r.organization_id and d.webhook_id = r.webhook_id and d.event_id = r.event_id
      and d.leased_by = ${worker}),
  health as (
    update webhook w set
      failing_since = case when h.acknowledged then null else coalesce(w.failing_since, h.since) end,
      announced_at = case when h.acknowledged then '{}' else w.announced_at end,
      status = case when h.gone and w.status = 'active' then 'suspended' else w.status end,
      status_since = case when h.gone and w.status = 'active' then h.at else w.status_since end,
      suspension_announced = w.suspension_announced and not (h.gone and w.status = 'active')
    from (
      select organization_id, webhook_id, url, bool_or(fault is null) as acknowledged, bool_or(coalesce(fault = 'gone', false)) as gone,
        min(at) as since, max(at) as at
      from result where counts and attempt_id is not null
      group by organization_id, webhook_id, url) h
    where w.organization_id = h.organization_id and w.webhook_id = h.webhook_id and w.url = h.url
      and (h.acknowledged = (w.failing_since is not null) or (h.gone and w.status = 'active')))
  insert into webhook_attempt (organization_id, webhook_id, event_id, attempt_id, delivery_attempt, attempted_at, duration_ms,
    url, fault, status, response_headers, response_body, response_truncated)
  select organization_id, webhook_id, event_id, attempt_id, delivery_attempt, attempted_at, duration_ms, url, fault, status,
    response_headers, response_body, response_truncated
  from result r where attempt_id is not null and exists (
    select from webhook w where w.organization_id = r.organization_id and w.webhook_id = r.webhook_id)`;
