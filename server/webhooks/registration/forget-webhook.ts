import type { JobKind } from '../../jobs/kinds.ts';
import type { Db, Queryable } from '../../storage/db.ts';
import type { Sql } from '../../storage/sql.ts';
import { deleteSomeAttempts, deleteSomeDeliveries } from './forget-webhook.sql.ts';
import type { WebhookKey } from './webhooks.sql.ts';

export const FORGET_WEBHOOK_JOB = 'webhook.forget';

export type ForgetWebhook = WebhookKey;

/** Rows in one statement: nothing waits for it for long. */
const BATCH = 5000;

/** Removes the deliveries of a webhook that is gone, and their attempts. */
export const forgetWebhookJob = ({ db }: { db: Db }): JobKind<ForgetWebhook> => ({
  kind: FORGET_WEBHOOK_JOB,
  maxAttempts: 10,
  delaySeconds: (attempt) => 10 * 2 ** attempt,
  async run(webhook, signal) {
    for (const some of [deleteSomeDeliveries, deleteSomeAttempts])
      // Beside the connections that everybody's statements share.
      while (await db.tx((tx) => anyDeleted(tx, some(webhook, BATCH)))) signal.throwIfAborted();
  },
});

const anyDeleted = async (on: Queryable, statement: Sql): Promise<boolean> =>
  (await on.query(statement)).length > 0;
