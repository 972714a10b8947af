import type { z } from 'zod';
import type {
  AttemptFault,
  Delivery,
  DeliveryAttempt,
  getDelivery,
  WebhookReplay,
} from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { DeliveryRow } from './deliveries.sql.ts';
import { serializeEnvelope } from '../events/envelope.ts';
import type { AttemptRow } from '../delivery/results.sql.ts';
import type { ReplayRow } from './replays.sql.ts';
import type { WebhookRow } from '../webhooks.sql.ts';

export const toDeliveryDto = (row: DeliveryRow): Delivery => ({
  id: row.event_id,
  webhookId: row.webhook_id,
  type: row.type,
  projectId: row.project_id,
  patientId: row.patient_id,
  timestamp: row.occurred_at.toISOString(),
  status: row.state,
  reason: row.reason,
  attempts: row.attempts,
  formerAttempts: row.former_attempts,
  nextAttemptAt: row.state === 'pending' || row.state === 'retrying' ? row.due_at.toISOString() : null,
  deliveredAt: row.state === 'delivered' ? row.changed_at.toISOString() : null,
  createdAt: row.created_at.toISOString(),
  changedAt: row.changed_at.toISOString(),
});

type RequestDto = z.infer<(typeof getDelivery)['response']>['request'];

/** Returns the request that the last attempt sent, or that the first one will send, addressed to the webhook's present URL. */
export const toRequestDto = ({ url }: WebhookRow, row: DeliveryRow): RequestDto => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json', 'webhook-id': row.event_id },
  body: serializeEnvelope(row, Math.max(1, row.attempts)),
});

export const toAttemptDto = (row: AttemptRow): DeliveryAttempt => ({
  deliveryAttempt: row.delivery_attempt,
  attemptedAt: row.attempted_at.toISOString(),
  durationMs: row.duration_ms,
  url: row.url,
  delivered: row.fault === null,
  fault: row.fault,
  message: row.fault && describeFault(row.fault),
  response:
    row.status === null
      ? null
      : {
          status: row.status,
          headers: JSON.parse(row.response_headers ?? '{}') as Record<string, string>,
          body: row.response_body ?? '',
          truncated: row.response_truncated ?? false,
        },
});

export const describeFault = (fault: AttemptFault): string | null => FAULT_MESSAGES.get(fault) ?? null;

const FAULT_MESSAGES: ReadonlyMap<AttemptFault, string> = new Map([
  ['status', 'The endpoint answered with a status other than 2xx, which alone acknowledges a delivery.'],
  [
    'redirect',
    'The endpoint answered with a redirect. Redirects are not followed: register the address that they lead to.',
  ],
  [
    'gone',
    'The endpoint answered 410: it wants no more deliveries. Unless it was a test, the webhook is suspended.',
  ],
  ['deadline', 'The endpoint did not answer within 10 seconds, DNS and TLS included.'],
  ['name_not_resolved', 'The host name of the endpoint could not be resolved.'],
  ['connection_failed', 'No connection to the endpoint was made, or it was closed before the answer.'],
  [
    'tls_failed',
    'The TLS handshake failed: the certificate may have expired, be for another name, or be from an unknown authority.',
  ],
  ['malformed_answer', 'The answer of the endpoint is not valid HTTP.'],
  ['invalid_url', 'The address of the webhook is not a valid URL.'],
  ['not_https', 'The address of the webhook is not an https address.'],
  ['credentials_in_url', 'The address of the webhook holds credentials, which are not sent.'],
  ['host_not_public', 'The host name of the webhook is not one of the public internet.'],
  [
    'address_not_public',
    'The host name of the webhook leads to an address that is not on the public internet, so nothing was sent.',
  ],
] satisfies [AttemptFault, string][]);

export const toReplayDto = (row: ReplayRow): WebhookReplay => ({
  id: row.replay_id,
  startedAt: row.started_at.toISOString(),
  deliveries: row.deliveries,
  waiting: row.waiting,
  stoppedAt: row.stopped_at?.toISOString() ?? null,
  takenBack: row.taken_back,
});
