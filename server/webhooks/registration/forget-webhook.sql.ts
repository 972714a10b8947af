import { raw, sql, type Sql } from '../../storage/sql.ts';
import type { WebhookKey } from './webhooks.sql.ts';

/** Answers a row when there was something to delete. */
const deleteSome = (table: Sql, { organizationId, webhookId }: WebhookKey, most: number) => sql`
  with deleted as (
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where organization_id = ${organizationId} and webhook_id = ${webhookId} limit ${most}))
    returning 1)
  select from deleted limit 1`;

export const deleteSomeDeliveries = (webhook: WebhookKey, most: number) =>
  deleteSome(raw('webhook_delivery'), webhook, most);

export const deleteSomeAttempts = (webhook: WebhookKey, most: number) =>
  deleteSome(raw('webhook_attempt'), webhook, most);
