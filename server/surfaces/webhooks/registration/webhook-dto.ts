import type { OrganizationReach } from '../../../../contract/audience.ts';
import type { PageQuery } from '../../../../contract/page-query.ts';
import type { Webhook } from '../../../../contract/webhooks/webhooks.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import { maybeOne, type Queryable } from '../../../platform/db/db.ts';
import { ANNOUNCED_AFTER_HOURS } from '../../../../contract/webhooks/webhooks.ts';
import type { SecretSeal } from '../../../platform/keys/secret-seal.ts';
import { toWebhookKey, type WebhookCommand } from '../webhook-command.ts';
import { fingerprintSecret, toSecretPurpose } from '../signing.ts';
import { selectLiveSecrets, type SecretRow } from './secrets.sql.ts';
import { findWebhookWithCounts, selectWebhooks, type WebhookWithCountsRow } from '../webhooks.sql.ts';

interface WebhookReadDeps {
  db: Queryable;
  secrets: SecretSeal;
}

type OpenedRow = Omit<SecretRow, 'secret'> & { secret: string | null };

/** One whose key is missing is null: the webhook is to be seen, so that it gets another one. */
const openAll = (secrets: SecretSeal, rows: readonly SecretRow[]): Promise<OpenedRow[]> =>
  Promise.all(
    rows.map(async (row) => ({
      ...row,
      secret:
        secrets.getState(row.secret) === 'unknown'
          ? null
          : await secrets.open(toSecretPurpose(row.webhook_id), row.secret),
    })),
  );

/** Returns a webhook without its secrets; throws 404 when the organization does not have it. */
export async function getWebhook(
  { db, secrets }: WebhookReadDeps,
  command: WebhookCommand,
  now: Date,
): Promise<Webhook> {
  const key = toWebhookKey(command);
  const row = await maybeOne(db, findWebhookWithCounts(key, command.caller));
  if (!row) throw notFound('The webhook');
  const stored = await db.query(selectLiveSecrets(key.organizationId, [key.webhookId], now));
  return toWebhookDto(row, await openAll(secrets, stored));
}

export async function listWebhooks(
  { db, secrets }: WebhookReadDeps,
  reach: OrganizationReach,
  { now, ...page }: PageQuery & { now: Date },
): Promise<Webhook[]> {
  const { organizationId } = reach;
  const rows = await db.query(selectWebhooks(reach, page));
  const webhookIds = rows.map((row) => row.webhook_id);
  const opened = await openAll(secrets, await db.query(selectLiveSecrets(organizationId, webhookIds, now)));
  return rows.map((row) =>
    toWebhookDto(
      row,
      opened.filter((secret) => secret.webhook_id === row.webhook_id),
    ),
  );
}

const toWebhookDto = (row: WebhookWithCountsRow, secrets: readonly OpenedRow[]): Webhook => ({
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
    fingerprint: secret === null ? null : fingerprintSecret(secret),
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
