import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { ProjectId, WebhookId } from '../../../contract/ids.ts';
import { EventType } from '../../../contract/webhook-events.ts';
import {
  MOST_WEBHOOKS,
  type createWebhook,
  type ProjectScope,
  type updateWebhook,
  type Webhook,
} from '../../../contract/webhooks.ts';
import { actorOf, type Audit } from '../../audit/append.ts';
import { neverAsked } from '../../egress/named-address.ts';
import type { Jobs } from '../../jobs/worker.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { lockOrganization } from '../../organizations/organizations.sql.ts';
import { checkProjects } from '../../organizations/projects.ts';
import { one, type Db, type Tx } from '../../storage/db.ts';
import { FORGET_WEBHOOK_JOB, type ForgetWebhook } from './forget-webhook.ts';
import { lockedWebhook } from './known-webhook.ts';
import { newSecret } from './secret.ts';
import { deleteSecrets, insertSecret } from './secrets.sql.ts';
import { tellWebhook } from './webhook-on-wire.ts';
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
export interface Change {
  caller: OrganizationCaller;
  webhookId: WebhookId;
}

export const keyOf = ({ caller: { organizationId }, webhookId }: Change): statements.WebhookKey => ({
  organizationId,
  webhookId,
});

type Wanted = z.infer<(typeof createWebhook)['body']>;
type Changes = z.infer<(typeof updateWebhook)['body']>;

/** A webhook of the caller's organization, with its secret: nobody is shown that again. */
export async function addWebhook(
  deps: ChangeDeps,
  caller: OrganizationCaller,
  wanted: Wanted,
): Promise<Webhook & { secret: string }> {
  const { organizationId } = caller;
  checkAddress(wanted.url, deps.allowPrivate);
  const now = deps.clock.now();
  const secret = newSecret();
  const row: statements.WebhookRow = {
    organization_id: organizationId,
    webhook_id: newId(),
    url: wanted.url,
    description: wanted.description,
    event_types: inCatalogueOrder(wanted.eventTypes),
    project_ids: projectsOf(wanted.projectScope),
    max_per_second: wanted.maxPerSecond,
    status: 'active',
    status_since: now,
    failing_since: null,
    announced_at: [],
    suspension_told: false,
    created_at: now,
    changed_at: now,
  };
  const key = { organizationId, webhookId: row.webhook_id };
  return deps.db.tx(async (tx) => {
    await tx.query(lockOrganization(organizationId));
    const { total } = await one(tx, statements.countWebhooks(organizationId));
    if (total >= MOST_WEBHOOKS)
      throw new Refusal(409, 'too_many_webhooks', {
        detail: `The organization has ${MOST_WEBHOOKS} webhooks already.`,
      });
    await checkScope(tx, key, wanted.projectScope);
    await tx.query(statements.insertWebhook(row));
    await tx.query(insertSecret(key, { secret, at: now }));
    await report(tx, deps, { caller, row, action: 'webhook.created' });
    return { ...(await tellWebhook(tx, key, now)), secret };
  });
}

/** What changes nothing leaves no trace. Of a new address nothing is known to have failed. */
export function changeWebhook(deps: ChangeDeps, change: Change, changes: Changes): Promise<Webhook> {
  const key = keyOf(change);
  if (changes.url !== undefined) checkAddress(changes.url, deps.allowPrivate);
  return deps.db.tx(async (tx) => {
    const before = await lockedWebhook(tx, key);
    const now = deps.clock.now();
    const row = changedRow(before, changes);
    if (!isDeepStrictEqual(row, before)) {
      if (changes.projectScope) await checkScope(tx, key, changes.projectScope);
      await tx.query(statements.putWebhook({ ...row, changed_at: now }));
      const detail = { changed: Object.keys(changes) };
      await report(tx, deps, { caller: change.caller, row, action: 'webhook.changed', detail });
    }
    return tellWebhook(tx, key, now);
  });
}

/** Its deliveries may be many: they go in the background. */
export async function removeWebhook(deps: ChangeDeps, change: Change): Promise<void> {
  const key = keyOf(change);
  await deps.db.tx(async (tx) => {
    const row = await lockedWebhook(tx, key);
    await tx.query(statements.deleteWebhook(key));
    await tx.query(deleteSecrets(key));
    await deps.jobs.enqueue<ForgetWebhook>(tx, {
      kind: FORGET_WEBHOOK_JOB,
      uniqueKey: key.webhookId,
      payload: key,
    });
    await report(tx, deps, { caller: change.caller, row, action: 'webhook.deleted' });
  });
}

/** An entry of the audit log; of the address only the host, for the rest may hold what the receiver trusts. */
export function report(
  tx: Tx,
  { audit }: Pick<ChangeDeps, 'audit'>,
  event: {
    caller: OrganizationCaller;
    row: statements.WebhookRow;
    action: string;
    projectId?: ProjectId;
    detail?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const { caller, row, action, projectId, detail } = event;
  return audit.write(tx, {
    organizationId: row.organization_id,
    action,
    actor: actorOf(caller),
    projectId,
    detail: { webhookId: row.webhook_id, host: new URL(row.url).host, ...detail },
  });
}

function changedRow(before: statements.WebhookRow, changes: Changes): statements.WebhookRow {
  const { url, description, eventTypes, projectScope, maxPerSecond } = changes;
  const moves = url !== undefined && url !== before.url;
  return {
    ...before,
    ...(moves && { url, failing_since: null, announced_at: [] }),
    ...(description !== undefined && { description }),
    ...(eventTypes !== undefined && { event_types: inCatalogueOrder(eventTypes) }),
    ...(projectScope !== undefined && { project_ids: projectsOf(projectScope) }),
    ...(maxPerSecond !== undefined && { max_per_second: maxPerSecond }),
  };
}

const inCatalogueOrder = (types: readonly EventType[]): EventType[] =>
  EventType.options.filter((type) => types.includes(type));

/** In an order of their own: the same projects named in another are no change. */
const projectsOf = (scope: ProjectScope): ProjectId[] | null =>
  scope.type === 'all' ? null : [...new Set(scope.projectIds)].sort();

async function checkScope(
  tx: Tx,
  { organizationId }: statements.WebhookKey,
  scope: ProjectScope,
): Promise<void> {
  if (scope.type === 'all') return;
  const { projectIds } = scope;
  await checkProjects(tx, organizationId, { projectIds, path: 'projectScope.projectIds' });
}

function checkAddress(url: string, allowPrivate: boolean): void {
  if (neverAsked(url, allowPrivate) === null) return;
  const message = allowPrivate
    ? 'must be an https address of the public internet or of a private network'
    : 'must be an https address of the public internet';
  throw invalidInput([{ path: 'url', message }]);
}
