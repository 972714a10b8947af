import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { updateWebhook as contract, Webhook } from '../../../../contract/webhooks/webhooks.ts';
import {
  auditWebhook,
  requireWebhookForUpdate,
  toWebhookKey,
  type WebhookCommand,
  type WebhookDeps,
} from '../webhook-command.ts';
import * as statements from '../webhooks.sql.ts';
import { getWebhook } from './webhook-dto.ts';
import { requireEndpointUrl, requireOwnScope, sortEventTypes, toProjectIds } from './webhook-input.ts';

type UpdateWebhookInput = z.infer<(typeof contract)['body']>;

/** Changes a webhook; an update that changes nothing leaves no audit entry. */
export function updateWebhook(
  deps: WebhookDeps,
  command: WebhookCommand,
  changes: UpdateWebhookInput,
): Promise<Webhook> {
  const key = toWebhookKey(command);
  if (changes.url !== undefined) requireEndpointUrl(changes.url, deps.allowPrivate);
  return deps.db.tx(async (tx) => {
    const before = await requireWebhookForUpdate(tx, key);
    const now = deps.clock.now();
    const row = applyChanges(before, changes);
    if (!isDeepStrictEqual(row, before)) {
      if (changes.projectScope) await requireOwnScope(tx, key.organizationId, changes.projectScope);
      await tx.query(statements.updateWebhook({ ...row, changed_at: now }));
      const detail = { changed: listChanged(before, row) };
      await auditWebhook(tx, deps, { caller: command.caller, row, action: 'webhook.changed', detail });
    }
    return getWebhook({ ...deps, db: tx }, command, now);
  });
}

const COLUMNS = {
  url: 'url',
  description: 'description',
  eventTypes: 'event_types',
  projectScope: 'project_ids',
  maxPerSecond: 'max_per_second',
} as const;

/** What is other than before: a form sends also what it left as it was. */
const listChanged = (before: statements.WebhookRow, after: statements.WebhookRow): string[] =>
  Object.entries(COLUMNS).flatMap(([name, column]) =>
    isDeepStrictEqual(before[column], after[column]) ? [] : name,
  );

/** A new URL clears the failures, which were those of the old endpoint. */
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
