import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { OrganizationCaller } from '../../../../contract/audience.ts';
import type { ProjectId, WebhookId } from '../../../../contract/brands.ts';
import { EventType } from '../../../../contract/webhooks/webhook-events.ts';
import {
  MAX_WEBHOOKS,
  type createWebhook,
  type ProjectScope,
  type updateWebhook,
  type Webhook,
} from '../../../../contract/webhooks/webhooks.ts';
import { toActor, type Audit } from '../../../platform/audit/append.ts';
import { validateUrl } from '../../../platform/outbound/validate-url.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import { invalidInput, Refusal } from '../../../platform/kernel/refusal.ts';
import { lockOrganization } from '../../../identity/organizations/organizations.sql.ts';
import { requireOwnProjects } from '../../../identity/organizations/projects.ts';
import { one, type Db, type Tx } from '../../../platform/db/db.ts';
import { PURGE_WEBHOOK_JOB, type PurgeWebhookPayload } from './purge-webhook.ts';
import { requireWebhookForUpdate } from './require-webhook.ts';
import { generateWebhookSecret } from './secret.ts';
import { deleteSecrets, insertSecret } from './secrets.sql.ts';
import { getWebhook } from './webhook-dto.ts';
import * as statements from './webhooks.sql.ts';

export interface ChangeDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: Jobs;
  /** Endpoints in private networks may be registered. */
  allowPrivate: boolean;
}

/** A webhook of the caller's organization, and who changes it. */
export interface WebhookCommand {
  caller: OrganizationCaller;
  webhookId: WebhookId;
}

export const toWebhookKey = ({
  caller: { organizationId },
  webhookId,
}: WebhookCommand): statements.WebhookKey => ({
  organizationId,
  webhookId,
});

type CreateWebhookInput = z.infer<(typeof createWebhook)['body']>;
type UpdateWebhookInput = z.infer<(typeof updateWebhook)['body']>;

/** A webhook of the caller's organization, with its secret: nobody is shown that again. */
export async function addWebhook(
  deps: ChangeDeps,
  caller: OrganizationCaller,
  input: CreateWebhookInput,
): Promise<Webhook & { secret: string }> {
  const { organizationId } = caller;
  checkAddress(input.url, deps.allowPrivate);
  const now = deps.clock.now();
  const secret = generateWebhookSecret();
  const row: statements.WebhookRow = {
    organization_id: organizationId,
    webhook_id: generateId(),
    url: input.url,
    description: input.description,
    event_types: sortEventTypes(input.eventTypes),
    project_ids: toProjectIds(input.projectScope),
    max_per_second: input.maxPerSecond,
    status: 'active',
    status_since: now,
    failing_since: null,
    announced_at: [],
    suspension_announced: false,
    created_at: now,
    changed_at: now,
  };
  const key = { organizationId, webhookId: row.webhook_id };
  return deps.db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const { total } = await one(tx, statements.countWebhooks(organizationId));
    if (total >= MAX_WEBHOOKS)
      throw new Refusal(409, 'too_many_webhooks', {
        detail: `The organization has ${MAX_WEBHOOKS} webhooks already.`,
      });
    await checkScope(tx, key, input.projectScope);
    await tx.query(statements.insertWebhook(row));
    await tx.query(insertSecret(key, { secret, at: now }));
    await auditWebhook(tx, deps, { caller, row, action: 'webhook.created' });
    return { ...(await getWebhook(tx, key, now)), secret };
  });
}

/** What changes nothing leaves no trace. Of a new address nothing is known to have failed. */
export function changeWebhook(
  deps: ChangeDeps,
  command: WebhookCommand,
  changes: UpdateWebhookInput,
): Promise<Webhook> {
  const key = toWebhookKey(command);
  if (changes.url !== undefined) checkAddress(changes.url, deps.allowPrivate);
  return deps.db.tx(async (tx) => {
    const before = await requireWebhookForUpdate(tx, key);
    const now = deps.clock.now();
    const row = applyChanges(before, changes);
    if (!isDeepStrictEqual(row, before)) {
      if (changes.projectScope) await checkScope(tx, key, changes.projectScope);
      await tx.query(statements.updateWebhook({ ...row, changed_at: now }));
      const detail = { changed: Object.keys(changes) };
      await auditWebhook(tx, deps, { caller: command.caller, row, action: 'webhook.changed', detail });
    }
    return getWebhook(tx, key, now);
  });
}

/** Its deliveries may be many: they go in the background. */
export async function deleteWebhook(deps: ChangeDeps, command: WebhookCommand): Promise<void> {
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

/** An entry of the audit log; of the address only the host, for the rest may hold what the receiver trusts. */
export function auditWebhook(
  tx: Tx,
  { audit }: Pick<ChangeDeps, 'audit'>,
  auditEntry: {
    caller: OrganizationCaller;
    row: statements.WebhookRow;
    action: string;
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

function applyChanges(before: statements.WebhookRow, changes: UpdateWebhookInput): statements.WebhookRow {
  const { url, description, eventTypes, projectScope, maxPerSecond } = changes;
  const isUrlChanged = url !== undefined && url !== before.url;
  return {
    ...before,
    ...(isUrlChanged && { url, failing_since: null, announced_at: [] }),
    ...(description !== undefined && { description }),
    ...(eventTypes !== undefined && { event_types: sortEventTypes(eventTypes) }),
    ...(projectScope !== undefined && { project_ids: toProjectIds(projectScope) }),
    ...(maxPerSecond !== undefined && { max_per_second: maxPerSecond }),
  };
}

const sortEventTypes = (types: readonly EventType[]): EventType[] =>
  EventType.options.filter((type) => types.includes(type));

/** In an order of their own: the same projects named in another are no change. */
const toProjectIds = (scope: ProjectScope): ProjectId[] | null =>
  scope.type === 'all' ? null : [...new Set(scope.projectIds)].sort();

async function checkScope(
  tx: Tx,
  { organizationId }: statements.WebhookKey,
  scope: ProjectScope,
): Promise<void> {
  if (scope.type === 'all') return;
  const { projectIds } = scope;
  await requireOwnProjects(tx, organizationId, { projectIds, path: 'projectScope.projectIds' });
}

function checkAddress(url: string, allowPrivate: boolean): void {
  if (validateUrl(url, allowPrivate) === null) return;
  const message = allowPrivate
    ? 'must be an https address of the public internet or of a private network'
    : 'must be an https address of the public internet';
  throw invalidInput([{ path: 'url', message }]);
}
