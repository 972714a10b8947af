import { notFound, Refusal } from '../../../platform/kernel/refusal.ts';
import { maybeOne, type Queryable, type Tx } from '../../../platform/db/db.ts';
import { lockWebhook, findWebhook, type WebhookKey, type WebhookRow } from './webhooks.sql.ts';

/** Also for a webhook of another organization, so that nobody learns whether an id exists elsewhere. */
const webhookNotFound = (): Refusal => notFound('The webhook');

/** Throws 404 for one that the organization does not have. */
export async function requireWebhook(db: Queryable, key: WebhookKey): Promise<WebhookRow> {
  const row = await maybeOne(db, findWebhook(key));
  if (!row) throw webhookNotFound();
  return row;
}

/** The same, and nobody else changes it until the transaction ends. */
export async function requireWebhookForUpdate(tx: Tx, key: WebhookKey): Promise<WebhookRow> {
  const row = await maybeOne(tx, lockWebhook(key));
  if (!row) throw webhookNotFound();
  return row;
}

/** 409 for a webhook that nothing is sent to. */
export function requireActive({ status }: WebhookRow): void {
  if (status !== 'active')
    throw new Refusal(409, 'webhook_not_active', { detail: `The webhook is ${status}; resume it first.` });
}
