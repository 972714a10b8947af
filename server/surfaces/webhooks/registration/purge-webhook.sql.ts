import { raw, sql, type Sql } from '../../../platform/db/sql.ts';
import type { WebhookKey } from './webhooks.sql.ts';

/** Answers a row when there was something to delete. */
const deleteBatch = (table: Sql, { organizationId, webhookId }: WebhookKey, limit: number) => sql`
  with deleted as (
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where organization_id = ${organizationId} and webhook_id = ${webhookId} limit ${limit}))
    returning 1)
  select from deleted limit 1`;

export const deleteDeliveryBatch = (webhook: WebhookKey, limit: number) =>
  deleteBatch(raw('webhook_delivery'), webhook, limit);

export const deleteAttemptBatch = (webhook: WebhookKey, limit: number) =>
  deleteBatch(raw('webhook_attempt'), webhook, limit);
