import type { AttentionItem } from '../../../../contract/organization/attention.ts';
import {
  createAttentionItem,
  MAX_ATTENTION_COUNT,
  type AttentionCheck,
} from '../../../platform/attention/attention.ts';
import type { FirstStepCheck } from '../../../platform/attention/first-steps.ts';
import type { Db } from '../../../platform/db/db.ts';
import { findTroubledWebhooks, hasWebhook, type TroubledWebhookRow } from './attention.sql.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Creates the check of webhooks: which do not acknowledge, were suspended, lost deliveries, or lose a secret tomorrow. */
export const createWebhookAttention = (db: Db): AttentionCheck => ({
  permission: 'webhooks.read',
  async find(reach, now) {
    const rows = await db.query(
      findTroubledWebhooks(reach, {
        now,
        since: new Date(now.getTime() - DAY_MS),
        until: new Date(now.getTime() + DAY_MS),
        limit: MAX_ATTENTION_COUNT,
      }),
    );
    return rows.flatMap(toItems);
  },
});

function toItems(row: TroubledWebhookRow): AttentionItem[] {
  const shared = { name: new URL(row.url).host, target: `/console/webhooks/${row.webhook_id}` };
  const items: AttentionItem[] = [];
  if (row.status === 'suspended')
    items.push(
      createAttentionItem({
        ...shared,
        code: 'webhook_suspended',
        severity: 'problem',
        at: row.status_since,
      }),
    );
  else if (row.status === 'active' && row.failing_since)
    items.push(
      createAttentionItem({ ...shared, code: 'webhook_failing', severity: 'problem', at: row.failing_since }),
    );
  if (row.exhausted > 0)
    items.push(
      createAttentionItem({
        ...shared,
        code: 'deliveries_exhausted',
        severity: 'problem',
        count: row.exhausted,
      }),
    );
  if (row.secret_ends_at)
    items.push(
      createAttentionItem({
        ...shared,
        code: 'webhook_secret_ending',
        severity: 'notice',
        at: row.secret_ends_at,
      }),
    );
  return items;
}

export const createWebhookFirstStep = (db: Db): FirstStepCheck => ({
  code: 'reader_connected',
  permission: 'webhooks.manage',
  isDone: async ({ organizationId }) => (await db.query(hasWebhook(organizationId))).length > 0,
});
