import type { JobKind } from '../../../platform/jobs/job-kind.ts';
import type { Db, Queryable } from '../../../platform/db/db.ts';
import type { Sql } from '../../../platform/db/sql.ts';
import { deleteAttemptBatch, deleteDeliveryBatch } from './purge-webhook.sql.ts';
import type { WebhookKey } from './webhooks.sql.ts';

export const PURGE_WEBHOOK_JOB = 'webhook.forget';

export type PurgeWebhookPayload = WebhookKey;

/** Rows in one statement: nothing waits for it for long. */
const BATCH_SIZE = 5000;

/** Removes the deliveries of a webhook that is gone, and their attempts. */
export const createPurgeWebhookJob = ({ db }: { db: Db }): JobKind<PurgeWebhookPayload> => ({
  kind: PURGE_WEBHOOK_JOB,
  maxAttempts: 10,
  delaySeconds: (attempt) => 10 * 2 ** attempt,
  async run(webhook, signal) {
    for (const deleteBatch of [deleteDeliveryBatch, deleteAttemptBatch])
      // Beside the connections that everybody's statements share.
      while (await db.tx((tx) => hasDeletedRows(tx, deleteBatch(webhook, BATCH_SIZE))))
        signal.throwIfAborted();
  },
});

const hasDeletedRows = async (db: Queryable, statement: Sql): Promise<boolean> =>
  (await db.query(statement)).length > 0;
