import type { OrganizationReach } from '../../../../contract/audience.ts';
import type { EventId, PatientId, ProjectId } from '../../../../contract/brands.ts';
import type {
  AttemptAnswer,
  DeliveryReason,
  DeliveryStatus,
} from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { EventType } from '../../../../contract/webhooks/webhook-events.ts';
import { isWithinProjects } from '../../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import type { DeliveryKey } from '../delivery/claims.sql.ts';
import type { EnvelopeRow } from '../events/envelope.ts';
import type { AttemptRow } from '../delivery/results.sql.ts';
import type { WebhookKey } from '../webhooks.sql.ts';

export interface DeliveryRow extends EnvelopeRow {
  webhook_id: WebhookKey['webhookId'];
  event_id: EventId;
  project_id: ProjectId;
  patient_id: PatientId | null;
  state: DeliveryStatus;
  reason: DeliveryReason | null;
  attempts: number;
  due_at: Date;
  /** The node that is attempting the delivery. */
  leased_by: string | null;
  created_at: Date;
  changed_at: Date;
}

const columns = sql`
  d.organization_id, d.webhook_id, d.event_id, d.state, d.reason, d.attempts, d.due_at, d.leased_by, d.created_at,
  d.changed_at, e.project_id, e.patient_id, e.type, e.occurred_at, e.data`;

const joinEvent = sql`join webhook_event e on e.organization_id = d.organization_id and e.event_id = d.event_id`;

/** Literals, not parameters, so that the planner knows which partial index holds the rows and how many they are. */
export const hasState = (statuses: readonly DeliveryStatus[] | undefined): Sql =>
  statuses === undefined ? sql`true` : raw(`d.state in ('${statuses.join("', '")}')`);

export interface DeliveryFilter {
  status?: readonly DeliveryStatus[] | undefined;
  type?: readonly EventType[] | undefined;
  projectId?: ProjectId | undefined;
  patientId?: PatientId | undefined;
  /** What an attempt came to. */
  answer?: AttemptAnswer | undefined;
}

interface Page extends DeliveryFilter {
  /** The smallest id. */
  from: EventId;
  /** Exclusive. */
  before: EventId;
  limit: number;
  /** Who may see the events of some projects only. */
  reach: Pick<OrganizationReach, 'projectIds'>;
}

/** A condition on a row `d` of `webhook_delivery`: its event is of a project that the caller may see. */
export const isInReach = (reach: Page['reach']): Sql =>
  reach.projectIds === null
    ? raw('true')
    : sql`exists (
        select from webhook_event v where v.organization_id = d.organization_id and v.event_id = d.event_id
          and ${isWithinProjects(reach, raw('v.project_id'))})`;

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

/** A condition on a row `d` of `webhook_delivery`. Failures are few, and have an index. */
const wasAnswered = (answer: AttemptAnswer | undefined): Sql =>
  answer === undefined
    ? raw('true')
    : sql`exists (
        select from webhook_attempt a
        where a.organization_id = d.organization_id and a.webhook_id = d.webhook_id and a.event_id = d.event_id
          and ${answer === '2xx' ? raw('a.fault is null') : raw('a.fault is not null')} and ${ANSWER} = ${answer})`;

/** The longest page, and one row more. */
const MAX_PAGE_ROWS = raw('1001');

/**
 * Returns the newest first. The planner takes a bound `limit` for a tenth of the table and would read all events to join
 * them; the literal limit on the inner query prevents that.
 */
export const selectDeliveries = ({ organizationId, webhookId }: WebhookKey, page: Page) => sql<DeliveryRow>`
  select ${columns} from (
    select * from webhook_delivery d
    where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId}
      and d.event_id >= ${page.from} and d.event_id < ${page.before}
      and ${hasState(page.status)} and ${isInReach(page.reach)} and ${isOfEvent(page)} and ${wasAnswered(page.answer)}
    order by d.event_id desc limit ${MAX_PAGE_ROWS}) d ${joinEvent}
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
  state = 'pending', reason = null, attempts = 0, claims = 0, first_failed_at = null, leased_by = null, due_at = ${now},
  changed_at = ${now}`;

/** Makes the next attempt due; previous attempts stay counted. */
export const assignDueNow = (now: Date) => sql`due_at = ${now}, changed_at = ${now}`;

/** What is sent again by itself is of no replay any more: stopping that one leaves it. */
export const resetDelivery = ({ organizationId, webhookId, eventId }: DeliveryKey, now: Date) => sql`
  update webhook_delivery set ${assignReset(now)}, before_replay = null
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id = ${eventId}`;

export const makeDeliveryDue = ({ organizationId, webhookId, eventId }: DeliveryKey, now: Date) => sql`
  update webhook_delivery set ${assignDueNow(now)}, before_replay = null
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id = ${eventId}`;
