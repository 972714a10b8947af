import { randomBytes } from 'node:crypto';
import type { ProjectId } from '../../../contract/ids.ts';
import { invalidInput, notFound, Refusal } from '../../kernel/refusal.ts';
import { maybeOne, type Tx } from '../../storage/db.ts';
import { keyOf, report, type Change, type ChangeDeps } from './change-webhook.ts';
import type { DeliveryKey } from '../delivery/claims.sql.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { deliveryById, type DeliveryRow } from '../log/delivery-log.sql.ts';
import { newEventId } from '../events/emit.ts';
import { knownWebhook } from './known-webhook.ts';
import type { AttemptRow } from '../delivery/results.sql.ts';
import { insertTest, oldestProject } from './test-webhook.sql.ts';
import type { WebhookRow } from './webhooks.sql.ts';

const NONCE_BYTES = 16;

/** Until then the attempt is made here; after that, this process has died over it, and any node makes it. */
const OWN_MS = 30_000;

interface Tested {
  delivery: DeliveryRow;
  attempt: AttemptRow;
}

/** Sends a `webhook.test` to one webhook and waits for what comes of it. */
export async function testWebhook(
  deps: Pick<ChangeDeps, 'db' | 'clock' | 'audit'> & { deliveries: Pick<Deliveries, 'sendNow'> },
  change: Change,
  wantedProject: ProjectId | undefined,
): Promise<Tested> {
  const { db, clock, deliveries } = deps;
  const key = await db.tx(async (tx): Promise<DeliveryKey> => {
    const webhook = await knownWebhook(tx, keyOf(change));
    const projectId = await projectOf(tx, webhook, wantedProject);
    const now = clock.now();
    const event = { organizationId: webhook.organization_id, eventId: newEventId(now), projectId };
    await tx.query(
      insertTest(
        {
          ...event,
          patientId: null,
          type: 'webhook.test',
          occurredAt: now,
          now,
          data: { nonce: randomBytes(NONCE_BYTES).toString('base64url') },
        },
        { webhookId: webhook.webhook_id, dueAt: new Date(now.getTime() + OWN_MS) },
      ),
    );
    const detail = { eventId: event.eventId };
    await report(tx, deps, {
      caller: change.caller,
      row: webhook,
      action: 'webhook.tested',
      projectId,
      detail,
    });
    return { ...keyOf(change), eventId: event.eventId };
  });
  const attempt = await deliveries.sendNow(key);
  // Nobody else takes it so soon: the webhook was deleted meanwhile.
  if (!attempt) throw notFound('The webhook');
  const delivery = await maybeOne(db, deliveryById(key));
  if (!delivery) throw notFound('The webhook');
  return { attempt, delivery };
}

async function projectOf(
  tx: Tx,
  { organization_id: organizationId, project_ids: scope }: WebhookRow,
  wanted: ProjectId | undefined,
): Promise<ProjectId> {
  if (wanted !== undefined && scope && !scope.includes(wanted))
    throw invalidInput([{ path: 'projectId', message: 'is not in the scope of the webhook' }]);
  const project = await maybeOne(tx, oldestProject(organizationId, wanted ? [wanted] : scope));
  if (project) return project.project_id;
  if (wanted) throw invalidInput([{ path: 'projectId', message: 'is no project of the organization' }]);
  throw new Refusal(409, 'no_project', { detail: 'There is no project in the scope of the webhook.' });
}
