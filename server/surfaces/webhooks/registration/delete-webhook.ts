import type { Db, Queryable } from '../../../platform/db/db.ts';
import type { Sql } from '../../../platform/db/sql.ts';
import type { JobKind } from '../../../platform/jobs/job-kind.ts';
import {
  auditWebhook,
  requireWebhookForUpdate,
  toWebhookKey,
  type WebhookCommand,
  type WebhookDeps,
} from '../webhook-command.ts';
import * as statements from '../webhooks.sql.ts';
import { deleteDays } from '../maintenance/sum-days.sql.ts';
import { deleteHours } from '../maintenance/sum-hours.sql.ts';
import { deleteReplays } from '../log/replays.sql.ts';
import { deleteSecrets } from './secrets.sql.ts';

const PURGE_WEBHOOK_JOB = 'webhook.forget';

type PurgeWebhookPayload = statements.WebhookKey;

/** Deletes a webhook. A job deletes its deliveries, which may be millions. */
export async function deleteWebhook(deps: WebhookDeps, command: WebhookCommand): Promise<void> {
  const key = toWebhookKey(command);
  await deps.db.tx(async (tx) => {
    const row = await requireWebhookForUpdate(tx, key);
    await tx.query(statements.deleteWebhook(key));
    await tx.query(deleteSecrets(key));
    await deps.jobs.enqueue<PurgeWebhookPayload>(tx, {
      kind: PURGE_WEBHOOK_JOB,
      uniqueKey: key.webhookId,
      payload: key,
    });
    await auditWebhook(tx, deps, { caller: command.caller, row, action: 'webhook.deleted' });
  });
}

/** Rows that one statement deletes: few enough that nothing waits for it for long. */
const BATCH_SIZE = 5000;

/** Creates the job that deletes the deliveries of a deleted webhook, and their attempts. */
export const createPurgeWebhookJob = ({ db }: { db: Db }): JobKind<PurgeWebhookPayload> => ({
  kind: PURGE_WEBHOOK_JOB,
  maxAttempts: 10,
  delaySeconds: (attempt) => 10 * 2 ** attempt,
  async run(webhook, signal) {
    for (const deleteBatch of [statements.deleteDeliveryBatch, statements.deleteAttemptBatch])
      // A transaction uses a connection of its own, not one that other statements share.
      while (await db.tx((tx) => hasDeletedRows(tx, deleteBatch(webhook, BATCH_SIZE))))
        signal.throwIfAborted();
    await db.query(deleteHours(webhook));
    await db.query(deleteDays(webhook));
    await db.query(deleteReplays(webhook));
  },
});

const hasDeletedRows = async (db: Queryable, statement: Sql): Promise<boolean> =>
  (await db.query(statement)).length > 0;
