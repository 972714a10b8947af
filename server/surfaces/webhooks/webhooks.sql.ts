import type { OrganizationReach } from '../../../contract/audience.ts';
import type { OrganizationId, ProjectId, WebhookId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import type { EventType } from '../../../contract/webhooks/webhook-events.ts';
import type { WebhookStatus } from '../../../contract/webhooks/webhooks.ts';
import { isWithinProjects, overlapsProjects } from '../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

export interface WebhookKey {
  organizationId: OrganizationId;
  webhookId: WebhookId;
}

export interface WebhookRow {
  organization_id: OrganizationId;
  webhook_id: WebhookId;
  url: string;
  description: string;
  /** Sorted as in the catalogue. */
  event_types: EventType[];
  /** null: every project. */
  project_ids: ProjectId[] | null;
  max_per_second: number | null;
  status: WebhookStatus;
  status_since: Date;
  failing_since: Date | null;
  announced_at: Date[];
  suspension_announced: boolean;
  created_at: Date;
  changed_at: Date;
}

/** A condition on a row `d` of `webhook_delivery`: its event is of a project that the caller may see. */
export const isDeliveryInReach = (reach: Pick<OrganizationReach, 'projectIds'>): Sql =>
  reach.projectIds === null
    ? raw('true')
    : sql`exists (
        select from webhook_event v where v.organization_id = d.organization_id and v.event_id = d.event_id
          and ${isWithinProjects(reach, raw('v.project_id'))})`;

const columns = sql`w.organization_id, w.webhook_id, w.url, w.description, w.event_types,
  w.project_ids::text[], w.max_per_second, w.status, w.status_since, w.failing_since, w.announced_at, w.suspension_announced,
  w.created_at, w.changed_at`;

export const insertWebhook = (row: WebhookRow) => sql`
  insert into webhook (organization_id, webhook_id, url, description, event_types, project_ids, max_per_second, status,
    status_since, created_at, changed_at)
  values (${row.organization_id}, ${row.webhook_id}, ${row.url}, ${row.description}, ${row.event_types}::text[],
    ${row.project_ids}::uuid[], ${row.max_per_second}, ${row.status}, ${row.status_since}, ${row.created_at},
    ${row.changed_at})`;

/** Updates every column but the key. The row must be locked, because results of deliveries change it too. */
export const updateWebhook = (row: WebhookRow) => sql`
  update webhook set url = ${row.url}, description = ${row.description}, event_types = ${row.event_types}::text[],
    project_ids = ${row.project_ids}::uuid[], max_per_second = ${row.max_per_second}, status = ${row.status},
    status_since = ${row.status_since}, failing_since = ${row.failing_since},
    announced_at = ${row.announced_at}::timestamptz[], suspension_announced = ${row.suspension_announced},
    changed_at = ${row.changed_at}
  where organization_id = ${row.organization_id} and webhook_id = ${row.webhook_id}`;

export const deleteWebhook = ({ organizationId, webhookId }: WebhookKey) => sql`
  delete from webhook where organization_id = ${organizationId} and webhook_id = ${webhookId}`;

/** Deletes the rows of the oldest events, about so many. Returns a row when there was something to delete. */
const deleteWebhookRows = (table: Sql, { organizationId, webhookId }: WebhookKey, limit: number) => sql`
  with deleted as (
    delete from ${table} where organization_id = ${organizationId} and webhook_id = ${webhookId} and event_id <= (
      select max(event_id) from (
        select event_id from ${table} where organization_id = ${organizationId} and webhook_id = ${webhookId}
        order by event_id limit ${limit}) oldest)
    returning 1)
  select from deleted limit 1`;

export const deleteDeliveryBatch = (webhook: WebhookKey, limit: number) =>
  deleteWebhookRows(raw('webhook_delivery'), webhook, limit);

export const deleteAttemptBatch = (webhook: WebhookKey, limit: number) =>
  deleteWebhookRows(raw('webhook_attempt'), webhook, limit);

export const findWebhook = ({ organizationId, webhookId }: WebhookKey) => sql<WebhookRow>`
  select ${columns} from webhook w where w.organization_id = ${organizationId} and w.webhook_id = ${webhookId}`;

export const lockWebhook = (key: WebhookKey) => sql<WebhookRow>`${findWebhook(key)} for update`;

/** A condition on a row `w` of `webhook`: it is sent events of a project that the caller may see. */
const isInReach = (reach: OrganizationReach): Sql => sql`
  w.organization_id = ${reach.organizationId} and ${overlapsProjects(reach, raw('w.project_ids'))}`;

/** Counts the active webhooks by the projects whose events they are sent; null: every project. */
export const countWebhooksByProject = (reach: OrganizationReach) => sql<{
  project_id: ProjectId | null;
  count: number;
}>`
  select u.project_id, count(*) as count
  from webhook w left join lateral unnest(w.project_ids) as u(project_id) on true
  where ${isInReach(reach)} and w.status = 'active' group by 1`;

export const countWebhooks = (reach: OrganizationReach) => sql<{ total: number }>`
  select count(*) as total from webhook w where ${isInReach(reach)}`;

/** A webhook and the numbers of its deliveries in each state but `delivered`, of events that the caller may see. */
export interface WebhookWithCountsRow extends WebhookRow {
  pending: number;
  retrying: number;
  exhausted: number;
  dropped: number;
}

/** Counts in the partial index of undelivered rows; the delivered history is not read. */
const selectWithCounts = (reach: Pick<OrganizationReach, 'projectIds'>): Sql => sql`
  select ${columns}, n.pending, n.retrying, n.exhausted, n.dropped from webhook w cross join lateral (
    select count(*) filter (where d.state = 'pending') as pending, count(*) filter (where d.state = 'retrying') as retrying,
      count(*) filter (where d.state = 'exhausted') as exhausted, count(*) filter (where d.state = 'dropped') as dropped
    from webhook_delivery d
    where d.organization_id = w.organization_id and d.webhook_id = w.webhook_id and d.state <> 'delivered'
      and ${isDeliveryInReach(reach)}) n`;

export const findWebhookWithCounts = (
  { organizationId, webhookId }: WebhookKey,
  reach: Pick<OrganizationReach, 'projectIds'>,
) => sql<WebhookWithCountsRow>`
  ${selectWithCounts(reach)} where w.organization_id = ${organizationId} and w.webhook_id = ${webhookId}`;

export const selectWebhooks = (
  reach: OrganizationReach,
  { limit, offset }: PageQuery,
) => sql<WebhookWithCountsRow>`
  ${selectWithCounts(reach)} where ${isInReach(reach)}
  order by w.created_at, w.webhook_id limit ${limit} offset ${offset}`;
