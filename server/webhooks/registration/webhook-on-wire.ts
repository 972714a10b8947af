import type { OrganizationId } from '../../../contract/ids.ts';
import type { Page } from '../../../contract/test-patients.ts';
import type { Webhook } from '../../../contract/webhooks.ts';
import { notFound } from '../../kernel/refusal.ts';
import { maybeOne, type Queryable } from '../../storage/db.ts';
import { ANNOUNCED_AFTER_HOURS } from '../upkeep/announced-after.ts';
import { fingerprint } from './secret.ts';
import { liveSecrets, type SecretRow } from './secrets.sql.ts';
import { countedWebhook, webhooksOf, type CountedWebhookRow, type WebhookKey } from './webhooks.sql.ts';

/** A webhook as it is told: without its secrets. */
export async function tellWebhook(on: Queryable, key: WebhookKey, now: Date): Promise<Webhook> {
  const row = await maybeOne(on, countedWebhook(key));
  if (!row) throw notFound('The webhook');
  const secrets = await on.query(liveSecrets(key.organizationId, [key.webhookId], now));
  return toldWebhook(row, secrets);
}

export async function tellWebhooks(
  on: Queryable,
  organizationId: OrganizationId,
  { now, ...page }: Page & { now: Date },
): Promise<Webhook[]> {
  const rows = await on.query(webhooksOf(organizationId, page));
  const webhookIds = rows.map((row) => row.webhook_id);
  const secrets = await on.query(liveSecrets(organizationId, webhookIds, now));
  return rows.map((row) =>
    toldWebhook(
      row,
      secrets.filter((secret) => secret.webhook_id === row.webhook_id),
    ),
  );
}

const toldWebhook = (row: CountedWebhookRow, secrets: readonly SecretRow[]): Webhook => ({
  id: row.webhook_id,
  organizationId: row.organization_id,
  url: row.url,
  description: row.description,
  eventTypes: row.event_types,
  projectScope: row.project_ids ? { type: 'projects', projectIds: row.project_ids } : { type: 'all' },
  maxPerSecond: row.max_per_second,
  status: row.status,
  statusSince: row.status_since.toISOString(),
  secrets: secrets.map(({ secret, created_at: createdAt, expires_at: expiresAt }) => ({
    fingerprint: fingerprint(secret),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  })),
  failing: row.failing_since && {
    since: row.failing_since.toISOString(),
    announcements: row.announced_at.flatMap((at, index) => {
      const afterHours = ANNOUNCED_AFTER_HOURS[index];
      return afterHours === undefined ? [] : [{ afterHours, announcedAt: at.toISOString() }];
    }),
  },
  deliveries: {
    pending: row.pending,
    retrying: row.retrying,
    exhausted: row.exhausted,
    dropped: row.dropped,
  },
  createdAt: row.created_at.toISOString(),
  changedAt: row.changed_at.toISOString(),
});
