import type { Webhook } from '../../../../contract/webhooks/webhooks.ts';
import {
  auditWebhook,
  requireWebhookForUpdate,
  toWebhookKey,
  type WebhookCommand,
  type WebhookDeps,
} from '../webhook-command.ts';
import * as statements from './secrets.sql.ts';
import { getWebhook } from './webhook-dto.ts';

/** Ends every secret but the newest: whoever knows a former one can sign nothing that a receiver takes for ours. */
export function endFormerSecrets(
  deps: Pick<WebhookDeps, 'db' | 'clock' | 'audit' | 'secrets'>,
  command: WebhookCommand,
): Promise<Webhook> {
  const key = toWebhookKey(command);
  return deps.db.tx(async (tx) => {
    const row = await requireWebhookForUpdate(tx, key);
    const ended = await tx.query(statements.deleteFormerSecrets(key));
    if (ended.length > 0)
      await auditWebhook(tx, deps, {
        caller: command.caller,
        row,
        action: 'webhook.secret_ended',
        detail: { secrets: ended.length },
      });
    return getWebhook({ ...deps, db: tx }, command, deps.clock.now());
  });
}
