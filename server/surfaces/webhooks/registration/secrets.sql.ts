import type { OrganizationId, WebhookId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';
import type { WebhookKey } from '../webhooks.sql.ts';

export interface SecretRow {
  webhook_id: WebhookId;
  /** As it is stored. */
  secret: string;
  created_at: Date;
  /** null: until the next rotation. */
  expires_at: Date | null;
}

export const insertSecret = (
  { organizationId, webhookId }: WebhookKey,
  { secret, at }: { secret: string; at: Date },
) => sql`
  insert into webhook_secret (organization_id, webhook_id, secret, created_at)
  values (${organizationId}, ${webhookId}, ${secret}, ${at})`;

/** Returns the secrets that deliveries are signed with, the newest first. */
export const selectLiveSecrets = (
  organizationId: OrganizationId,
  webhookIds: readonly WebhookId[],
  now: Date,
) => sql<SecretRow>`
  select webhook_id, secret, created_at, expires_at from webhook_secret
  where organization_id = ${organizationId} and webhook_id = any(${webhookIds}::uuid[])
    and (expires_at is null or expires_at > ${now})
  order by webhook_id, created_at desc, secret`;

/** Selects the secrets of all webhooks as they are stored. */
export const findSecrets = () => sql<{ webhook_id: WebhookId; stored: string }>`
  select webhook_id, secret as stored from webhook_secret`;

export const replaceSecret = (stored: string, sealed: string) => sql`
  update webhook_secret set secret = ${sealed} where secret = ${stored}`;

/** Lets every secret expire at `at`, unless it expires sooner. */
export const expireSecrets = ({ organizationId, webhookId }: WebhookKey, at: Date) => sql`
  update webhook_secret set expires_at = least(expires_at, ${at}::timestamptz)
  where organization_id = ${organizationId} and webhook_id = ${webhookId}`;

export const deleteExpiredSecrets = ({ organizationId, webhookId }: WebhookKey, now: Date) => sql`
  delete from webhook_secret
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and expires_at <= ${now}`;

/** The newest one alone has no end. */
export const deleteFormerSecrets = ({ organizationId, webhookId }: WebhookKey) => sql<{
  webhook_id: WebhookId;
}>`
  delete from webhook_secret
  where organization_id = ${organizationId} and webhook_id = ${webhookId} and expires_at is not null
  returning webhook_id`;

export const deleteSecrets = ({ organizationId, webhookId }: WebhookKey) => sql`
  delete from webhook_secret where organization_id = ${organizationId} and webhook_id = ${webhookId}`;
