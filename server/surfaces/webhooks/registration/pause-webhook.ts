import type { Webhook } from '../../../../contract/webhooks/webhooks.ts';
import {
  auditWebhook,
  requireWebhookForUpdate,
  toWebhookKey,
  type WebhookCommand,
  type WebhookDeps,
} from '../webhook-command.ts';
import * as statements from '../webhooks.sql.ts';
import { getWebhook } from './webhook-dto.ts';

/** Pauses a webhook: open deliveries wait, and events from now on are dropped. */
export function pauseWebhook(
  deps: Pick<WebhookDeps, 'db' | 'clock' | 'audit' | 'secrets'>,
  command: WebhookCommand,
): Promise<Webhook> {
  const key = toWebhookKey(command);
  return deps.db.tx(async (tx) => {
    const before = await requireWebhookForUpdate(tx, key);
    const now = deps.clock.now();
    if (before.status !== 'paused') {
      const row = { ...before, status: 'paused' as const, status_since: now, changed_at: now };
      await tx.query(statements.updateWebhook(row));
      await auditWebhook(tx, deps, { caller: command.caller, row, action: 'webhook.paused' });
    }
    return getWebhook({ ...deps, db: tx }, command, now);
  });
}
