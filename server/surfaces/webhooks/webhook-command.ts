import type { AuditAction } from '../../platform/audit/actions.ts';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { ProjectId, WebhookId } from '../../../contract/brands.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import { maybeOne, type Db, type Queryable, type Tx } from '../../platform/db/db.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import type { SecretSeal } from '../../platform/keys/secret-seal.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { notFound, Refusal } from '../../platform/kernel/refusal.ts';
import { lockWebhook, findWebhook, type WebhookKey, type WebhookRow } from './webhooks.sql.ts';

export interface WebhookDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  secrets: SecretSeal;
  jobs: Jobs;
  /** Whether endpoints in private networks may be registered. */
  allowPrivate: boolean;
}

/** A webhook of the caller's organization, and who changes it. */
export interface WebhookCommand {
  caller: OrganizationCaller;
  webhookId: WebhookId;
}

export const toWebhookKey = ({ caller: { organizationId }, webhookId }: WebhookCommand): WebhookKey => ({
  organizationId,
  webhookId,
});

/** A webhook of another organization is not found either, so that nobody learns whether an id exists elsewhere. */
const webhookNotFound = (): Refusal => notFound('The webhook');

/** Returns the webhook; throws 404 when the organization does not have it. */
export async function requireWebhook(db: Queryable, key: WebhookKey): Promise<WebhookRow> {
  const row = await maybeOne(db, findWebhook(key));
  if (!row) throw webhookNotFound();
  return row;
}

/** Returns the webhook like `requireWebhook`, unless it is sent no events of a project that the caller may see. */
export async function requireVisibleWebhook(db: Queryable, command: WebhookCommand): Promise<WebhookRow> {
  const row = await requireWebhook(db, toWebhookKey(command));
  const { projectIds } = command.caller;
  if (projectIds && row.project_ids && !row.project_ids.some((id) => projectIds.includes(id)))
    throw webhookNotFound();
  return row;
}

/** Returns the webhook like `requireWebhook`, locked until the transaction ends. */
export async function requireWebhookForUpdate(tx: Tx, key: WebhookKey): Promise<WebhookRow> {
  const row = await maybeOne(tx, lockWebhook(key));
  if (!row) throw webhookNotFound();
  return row;
}

/** Throws 409 for a webhook that is paused or suspended. */
export function requireActive({ status }: WebhookRow): void {
  if (status !== 'active')
    throw new Refusal(409, 'webhook_not_active', { detail: `The webhook is ${status}; resume it first.` });
}

/** Writes an audit entry; of the URL it names only the host, because the rest may hold a secret of the receiver. */
export function auditWebhook(
  tx: Tx,
  { audit }: Pick<WebhookDeps, 'audit'>,
  auditEntry: {
    caller: OrganizationCaller;
    row: WebhookRow;
    action: AuditAction;
    projectId?: ProjectId;
    detail?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const { caller, row, action, projectId, detail } = auditEntry;
  return audit.write(tx, {
    organizationId: row.organization_id,
    action,
    actor: toActor(caller),
    projectId,
    detail: { webhookId: row.webhook_id, host: new URL(row.url).host, ...detail },
  });
}
