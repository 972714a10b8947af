import { randomBytes } from 'node:crypto';
import type { ProjectId } from '../../../../contract/brands.ts';
import { invalidInput, notFound, Refusal } from '../../../platform/kernel/refusal.ts';
import { maybeOne, type Tx } from '../../../platform/db/db.ts';
import { toWebhookKey, auditWebhook, type WebhookCommand, type WebhookDeps } from '../webhook-command.ts';
import type { DeliveryKey } from '../delivery/claims.sql.ts';
import type { DeliveryDispatcher } from '../delivery/delivery-dispatcher.ts';
import { findDelivery, type DeliveryRow } from '../log/deliveries.sql.ts';
import { generateEventId } from '../events/event-id.ts';
import { requireWebhook } from '../webhook-command.ts';
import type { AttemptRow } from '../delivery/results.sql.ts';
import { insertTestEvent } from '../events/events.sql.ts';
import { findOldestProject } from '../../../identity/organizations/projects.sql.ts';
import { openSecrets } from '../signing.ts';
import type { WebhookKey, WebhookRow } from '../webhooks.sql.ts';
import { selectLiveSecrets } from './secrets.sql.ts';

const NONCE_BYTES = 16;

/** The time that this process has for the attempt; after it, the process is taken for dead and any node makes the attempt. */
const TAKEOVER_DELAY_MS = 30_000;

interface TestResult {
  delivery: DeliveryRow;
  attempt: AttemptRow;
}

/** Sends a `webhook.test` event to one webhook and waits for the result of the attempt. */
export async function testWebhook(
  deps: Pick<WebhookDeps, 'db' | 'clock' | 'audit' | 'secrets'> & {
    deliveries: Pick<DeliveryDispatcher, 'sendNow'>;
  },
  command: WebhookCommand,
  requestedProjectId: ProjectId | undefined,
): Promise<TestResult> {
  const { db, clock, deliveries } = deps;
  const key = await db.tx(async (tx): Promise<DeliveryKey> => {
    const webhook = await requireWebhook(tx, toWebhookKey(command));
    const projectId = await resolveProject(tx, webhook, requestedProjectId);
    const now = clock.now();
    await requireSigning(tx, deps, { key: toWebhookKey(command), now });
    const event = { organizationId: webhook.organization_id, eventId: generateEventId(now), projectId };
    await tx.query(
      insertTestEvent(
        {
          ...event,
          patientId: null,
          type: 'webhook.test',
          occurredAt: now,
          now,
          data: { nonce: randomBytes(NONCE_BYTES).toString('base64url') },
        },
        { webhookId: webhook.webhook_id, dueAt: new Date(now.getTime() + TAKEOVER_DELAY_MS) },
      ),
    );
    const detail = { eventId: event.eventId };
    await auditWebhook(tx, deps, {
      caller: command.caller,
      row: webhook,
      action: 'webhook.tested',
      projectId,
      detail,
    });
    return { ...toWebhookKey(command), eventId: event.eventId };
  });
  const attempt = await deliveries.sendNow(key);
  // No other node claims the delivery so soon: the webhook must have been deleted meanwhile.
  if (!attempt) throw notFound('The webhook');
  const delivery = await maybeOne(db, findDelivery(key));
  if (!delivery) throw notFound('The webhook');
  return { attempt, delivery };
}

/** Refuses what could not be signed now, before it is stored and sent when somebody brings the key back. */
async function requireSigning(
  tx: Tx,
  { secrets }: Pick<WebhookDeps, 'secrets'>,
  { key: { organizationId, webhookId }, now }: { key: WebhookKey; now: Date },
): Promise<void> {
  const stored = await tx.query(selectLiveSecrets(organizationId, [webhookId], now));
  await openSecrets(
    secrets,
    webhookId,
    stored.map(({ secret }) => secret),
  );
}

async function resolveProject(
  tx: Tx,
  { organization_id: organizationId, project_ids: scope }: WebhookRow,
  requested: ProjectId | undefined,
): Promise<ProjectId> {
  if (requested !== undefined && scope && !scope.includes(requested))
    throw invalidInput([{ path: 'projectId', message: 'is not in the scope of the webhook' }]);
  const project = await maybeOne(tx, findOldestProject(organizationId, requested ? [requested] : scope));
  if (project) return project.project_id;
  if (requested) throw invalidInput([{ path: 'projectId', message: 'is no project of the organization' }]);
  throw new Refusal(409, 'no_project', { detail: 'There is no project in the scope of the webhook.' });
}
