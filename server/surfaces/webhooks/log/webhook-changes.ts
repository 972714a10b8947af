import type { z } from 'zod';
import { MAX_STATS_CHANGES, type getWebhookStats } from '../../../../contract/webhooks/webhook-stats.ts';
import type { AuditAction } from '../../../platform/audit/actions.ts';
import { selectSubjectEntries } from '../../../platform/audit/subject-entries.sql.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { WebhookKey } from '../webhooks.sql.ts';
import type { TimeRange } from './measured-attempts.sql.ts';

type WebhookChange = z.infer<(typeof getWebhookStats)['response']>['changes'][number];

const CHANGES = new Map<AuditAction, WebhookChange['change']>([
  ['webhook.changed', 'url'],
  ['webhook.secret_rotated', 'secret'],
  ['webhook.paused', 'paused'],
  ['webhook.resumed', 'resumed'],
  ['webhook.suspended', 'suspended'],
]);

interface ChangeDetail {
  changed?: readonly string[];
  suspendedSince?: string;
}

/** Finds when a webhook's address, secret or status changed, oldest first; by the audit log, which knows nobody's secrets. */
export async function findWebhookChanges(
  db: Db,
  { organizationId, webhookId }: WebhookKey,
  { from, to }: TimeRange,
): Promise<WebhookChange[]> {
  const rows = await db.query(
    selectSubjectEntries({
      organizationId,
      actions: [...CHANGES.keys()],
      detail: { name: 'webhookId', value: webhookId },
      since: from,
      until: to,
      limit: MAX_STATS_CHANGES,
    }),
  );
  return rows
    .toReversed()
    .map((row) => toChange(row, JSON.parse(row.detail) as ChangeDetail))
    .filter((change): change is WebhookChange => change !== null && Date.parse(change.at) >= from.getTime())
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** A suspension is announced some seconds after it. */
function toChange(
  { at, action }: { at: Date; action: AuditAction },
  { changed, suspendedSince }: ChangeDetail,
): WebhookChange | null {
  const change = CHANGES.get(action);
  if (change === undefined || (change === 'url' && !changed?.includes('url'))) return null;
  return { at: suspendedSince ?? at.toISOString(), change };
}
