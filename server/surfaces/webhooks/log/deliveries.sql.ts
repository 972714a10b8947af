import type { OrganizationReach } from '../../../../contract/audience.ts';
import type { EventId, PatientId, ProjectId } from '../../../../contract/brands.ts';
import type {
  AttemptAnswer,
  DeliveryReason,
  DeliveryStatus,
} from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { EventType } from '../../../../contract/webhooks/webhook-events.ts';
import { narrowToProject } from '../../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import { dueNow } from '../../../platform/db/store-clock.ts';
import type { DeliveryKey } from '../delivery/claims.sql.ts';
import type { EnvelopeRow } from '../events/envelope.ts';
import type { AttemptRow } from '../delivery/results.sql.ts';
import { isDeliveryInReach, type WebhookKey } from '../webhooks.sql.ts';

export interface DeliveryRow extends EnvelopeRow {
  webhook_id: WebhookKey['webhookId'];
  event_id: EventId;
  project_id: ProjectId;
  patient_id: PatientId | null;
  state: DeliveryStatus;
  reason: DeliveryReason | null;
  attempts: number;
  /** Before it was last sent anew. */
  former_attempts: number;
  due_at: Date;
  /** The node that is attempting the delivery. */
  leased_by: string | null;
  created_at: Date;
  changed_at: Date;
}

const columns = sql`
  d.organization_id, d.webhook_id, d.event_id, d.state, d.reason, d.attempts, d.due_at, d.leased_by, d.created_at,
  d.changed_at, e.project_id, e.patient_id, e.type, e.occurred_at, e.data,
  greatest(0, (select count(*) from webhook_attempt a
    where a.organization_id = d.organization_id and a.webhook_id = d.webhook_id and a.event_id = d.event_id)
    - d.attempts)::integer as former_attempts`;

const joinEvent = sql`join webhook_event e on e.organization_id = d.organization_id and e.event_id = d.event_id`;

/** Literals, not parameters, so that the planner knows which partial index holds the rows and how many they are. */
export const hasState = (statuses: readonly DeliveryStatus[] | undefined): Sql =>
  statuses === undefined ? sql`true` : raw(`d.state in ('${statuses.join("', '")}')`);

export interface DeliveryFilter {
  status?: readonly DeliveryStatus[] | undefined;
  type?: readonly EventType[] | undefined;
  projectId?: ProjectId | undefined;
  patientId?: PatientId | undefined;
  /** Any attempt came to one of them. */
  answer?: readonly AttemptAnswer[] | undefined;
}

export interface DeliveryPage extends DeliveryFilter {
  /** The smallest id. */
  from: EventId;
  /** Exclusive. */
  before: EventId;
  limit: number;
  /** Who may see the events of some projects only. */
  reach: Pick<OrganizationReach, 'projectIds'>;
}

/** A condition on a row `d` of `webhook_delivery`: its event is of one of the types, of the project and the patient. */
function isOfEvent({ type, projectId, patientId }: DeliveryFilter): Sql {
  if (type === undefined && projectId === undefined && patientId === undefined) return raw('true');
  return sql`exists (
    select from webhook_event v where v.organization_id = d.organization_id and v.event_id = d.event_id
      and ${type === undefined ? raw('true') : sql`v.type = any(${type}::text[])`}
      and ${projectId === undefined ? raw('true') : sql`v.project_id = ${projectId}`}
      and ${patientId === undefined ? raw('true') : sql`v.patient_id = ${patientId}`})`;
}

/** What an attempt `a` came to, in the words of the contract. */
export const ANSWER = raw(`case when a.status is null then a.fault
  when a.status between 200 and 599 then (a.status / 100)::text || 'xx' else 'malformed_answer' end`);

/**
 * A condition on a row `d` of `webhook_delivery`, looked up for each: the planner takes every answer for one that is rare, and
 * would begin with all attempts that came to it.
 */
const wasAnswered = (answers: readonly AttemptAnswer[] | undefined): Sql =>
  answers === undefined
    ? raw('true')
    : sql`coalesce((
        select true from webhook_attempt a
        where a.organization_id = d.organization_id and a.webhook_id = d.webhook_id and a.event_id = d.event_id
          and ${ANSWER} = any(${answers}::text[]) limit 1), false)`;

/** The longest page, and one row more. */
const MAX_PAGE_ROWS = raw('1001');

/**
 * Returns the newest first. The planner takes a bound `limit` for a tenth of the table and would read all events to join
 * them; the literal limit on the inner query prevents that.
 */
export const selectDeliveries = (
  { organizationId, webhookId }: WebhookKey,
  page: DeliveryPage,
) => sql<DeliveryRow>`
  select ${columns} from (
    select * from (
      select * from webhook_delivery d
      where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId}
        and d.event_id >= ${page.from} and d.event_id < ${page.before}
        and ${hasState(page.status)} and ${isDeliveryInReach(page.reach)} and ${isOfEvent(page)}
      order by d.event_id desc ${page.answer === undefined ? raw('') : raw('offset 0')}) d
    where ${wasAnswered(page.answer)}
    order by d.event_id desc limit ${MAX_PAGE_ROWS}) d ${joinEvent}
  order by d.event_id desc limit ${page.limit}`;

/** By which of its filters the candidates for a page are found: each has an index in the order of the list. */
export type Lead = 'answer' | 'type' | 'project';

/** Candidates for a page by functions of migrations 0112, 0118 and 0123: at least so many of the newest, if there are; null: all. */
function selectCandidates(
  { organizationId, webhookId }: WebhookKey,
  { answer, type, projectId, reach, from, before }: DeliveryPage,
  { lead, most }: { lead: Lead; most: number | null },
): Sql {
  if (lead === 'answer')
    return sql`newest_of_answers(${organizationId}, ${webhookId}, ${answer ?? []}, ${from}, ${before}, ${most}) n(event_id)`;
  if (lead === 'type')
    return sql`newest_of_types(${organizationId}, ${type ?? []}, ${from}, ${before}, ${most}) n(event_id)`;
  const projects = narrowToProject(reach, projectId) ?? [];
  return sql`newest_of_projects(${organizationId}, ${projects}, ${from}, ${before}, ${most}) n(event_id)`;
}

/** Returns the last of so many candidates; nothing where there are fewer. */
export const findCandidatesEnd = (
  webhook: WebhookKey,
  page: DeliveryPage,
  choice: { lead: Lead; most: number },
) => sql<{ event_id: EventId }>`
  select event_id from ${selectCandidates(webhook, page, choice)} order by event_id desc offset ${choice.most - 1} limit 1`;

/** As `selectDeliveries`, from the candidates for the page. */
export const selectAmongCandidates = (
  webhook: WebhookKey,
  page: DeliveryPage,
  choice: { lead: Lead; most: number | null },
) => sql<DeliveryRow>`
  select ${columns} from ${selectCandidates(webhook, page, choice)}
  cross join lateral (
    select * from webhook_delivery d
    where d.organization_id = ${webhook.organizationId} and d.webhook_id = ${webhook.webhookId} and d.event_id = n.event_id
      and ${hasState(page.status)} and ${isDeliveryInReach(page.reach)}
      and ${isOfEvent(choice.lead === 'type' ? { ...page, type: undefined } : page)}
      and ${choice.lead === 'answer' ? raw('true') : wasAnswered(page.answer)}
    limit 1) d ${joinEvent}
  order by d.event_id desc limit ${page.limit}`;

export const findDelivery = ({ organizationId, webhookId, eventId }: DeliveryKey) => sql<DeliveryRow>`
  select ${columns} from webhook_delivery d ${joinEvent}
  where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId} and d.event_id = ${eventId}`;

export const lockDelivery = (key: DeliveryKey) => sql<DeliveryRow>`${findDelivery(key)} for update of d`;

/** Returns the newest first. */
export const selectAttempts = ({ organizationId, webhookId, eventId }: DeliveryKey) => sql<AttemptRow>`
  select organization_id, webhook_id, event_id, attempt_id, delivery_attempt, attempted_at, duration_ms, url, fault, status,
    response_headers, response_body, response_truncated
  from webhook_attempt
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id = ${eventId}
  order by attempted_at desc, attempt_id desc`;

/** Resets a delivery as if its event had just been emitted; no node may be attempting it. */
export const assignReset = (now: Date) => sql`
  state = 'pending', reason = null, attempts = 0, claims = 0, first_failed_at = null, leased_by = null, due_at = ${dueNow(now)},
  changed_at = ${now}`;

/** Makes the next attempt due; previous attempts stay counted. */
export const assignDueNow = (now: Date) => sql`due_at = ${dueNow(now)}, changed_at = ${now}`;

/** What is sent again by itself is of no replay any more: stopping that one leaves it. */
export const resetDelivery = ({ organizationId, webhookId, eventId }: DeliveryKey, now: Date) => sql`
  update webhook_delivery set ${assignReset(now)}, before_replay = null
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id = ${eventId}`;

export const makeDeliveryDue = ({ organizationId, webhookId, eventId }: DeliveryKey, now: Date) => sql`
  update webhook_delivery set ${assignDueNow(now)}, before_replay = null
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id = ${eventId}`;
