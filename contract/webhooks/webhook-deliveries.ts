import { z } from 'zod';
import { wholeNumber } from '../whole-number.ts';
import { defineEndpoint } from '../endpoint.ts';
import { EventId, PatientId, ProjectId, WebhookId, WebhookReplayId } from '../brands.ts';
import { EventType } from './webhook-events.ts';
import { Instant } from '../instant.ts';
import { acceptSeveral } from '../several.ts';

export const DeliveryStatus = z.enum(['pending', 'delivered', 'retrying', 'exhausted', 'dropped']);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** Why an attempt was not acknowledged. */
export const AttemptFault = z.enum([
  'status',
  'redirect',
  'gone',
  'deadline',
  'name_not_resolved',
  'connection_failed',
  'tls_failed',
  'malformed_answer',
  'invalid_url',
  'not_https',
  'credentials_in_url',
  'host_not_public',
  'address_not_public',
]);
export type AttemptFault = z.infer<typeof AttemptFault>;

/** What came of an attempt: the class of the answer's status, or why there was no answer. */
export const AttemptAnswer = z.enum([
  '2xx',
  '3xx',
  '4xx',
  '5xx',
  ...AttemptFault.exclude(['status', 'redirect', 'gone']).options,
]);
export type AttemptAnswer = z.infer<typeof AttemptAnswer>;

/** Why a delivery is not attempted, or not again. */
export const DeliveryReason = z.enum(['paused', 'suspended', 'gone', 'retries_used_up', 'workers_died']);
export type DeliveryReason = z.infer<typeof DeliveryReason>;

/** The bytes of a receiver's answer that an attempt keeps. */
export const MAX_EXCERPT_BYTES = 4096;

export const DeliveryAttempt = z
  .object({
    deliveryAttempt: z.int().describe('From 1 again each time that it is redelivered'),
    attemptedAt: z.iso.datetime(),
    durationMs: z.int(),
    url: z.string(),
    delivered: z.boolean(),
    fault: AttemptFault.nullable(),
    message: z.string().nullable().describe('The fault as a sentence'),
    response: z
      .object({
        status: z.int(),
        headers: z.record(z.string(), z.string()).describe('A selection that helps to diagnose faults'),
        body: z
          .string()
          .describe(`At most ${MAX_EXCERPT_BYTES / 1024} KiB; addresses, tokens and secrets are masked`),
        truncated: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const Delivery = z
  .object({
    id: EventId.describe("The event's id, which is the webhook-id of every attempt"),
    webhookId: WebhookId,
    type: z.string(),
    projectId: ProjectId,
    patientId: PatientId.nullable().describe('null: the event is of no patient'),
    timestamp: z.iso.datetime().describe('When it happened'),
    status: DeliveryStatus,
    reason: DeliveryReason.nullable().describe('Why it is exhausted or dropped'),
    attempts: z.int().describe('Since it was last redelivered'),
    formerAttempts: z.int().describe('Before it was last redelivered, of those that are kept'),
    nextAttemptAt: z.iso.datetime().nullable(),
    deliveredAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    changedAt: z.iso.datetime(),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

const tag = 'Webhooks';
const collectionPath = '/v1/organizations/{orgId}/webhooks/{webhookId}/deliveries';
const itemPath = '/v1/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}';
const notFound = {
  404: 'The organization has no such webhook, or the webhook has no such delivery',
} as const;
const notActive = 'webhook_not_active: resume it first';

export const listDeliveries = defineEndpoint({
  method: 'GET',
  path: collectionPath,
  name: 'listDeliveries',
  summary: 'The deliveries of a webhook, newest event first',
  tag,
  audience: ['organization'],
  permission: 'webhooks.read',
  query: z.object({
    status: acceptSeveral(DeliveryStatus).optional(),
    type: acceptSeveral(EventType).optional(),
    projectId: ProjectId.optional(),
    patientId: PatientId.optional(),
    since: Instant.optional().describe('Events from this time on'),
    until: Instant.optional().describe('Events before this time'),
    answer: acceptSeveral(AttemptAnswer).optional().describe('Any attempt came to one of these'),
    before: EventId.optional().describe('`next` of the previous page'),
    limit: wholeNumber(1, 1000).prefault(100),
  }),
  response: z.object({ results: z.array(Delivery), next: EventId.nullable() }),
  refusals: notFound,
});

export const getDelivery = defineEndpoint({
  method: 'GET',
  path: itemPath,
  name: 'getDelivery',
  summary: 'A delivery with its request and every attempt, newest first',
  tag,
  audience: ['organization'],
  permission: 'webhooks.read',
  response: Delivery.extend({
    request: z.object({
      method: z.literal('POST'),
      url: z.string(),
      headers: z
        .record(z.string(), z.string())
        .describe('Without the signature, which differs on each attempt'),
      body: z.string().describe('Of the last attempt, or of the next one'),
    }),
    attemptLog: z.array(DeliveryAttempt),
  }),
  refusals: notFound,
});

export const redeliver = defineEndpoint({
  method: 'POST',
  path: `${itemPath}/redeliver`,
  name: 'redeliver',
  summary: 'Redelivers, beginning with the first attempt; a delivery that waits for a retry is attempted now',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  status: 202,
  response: Delivery,
  refusals: { ...notFound, 409: notActive },
});

export const replayDeliveries = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/{orgId}/webhooks/{webhookId}/replay',
  name: 'replayDeliveries',
  summary: 'Redelivers the events of a time range, but for test events; with dryRun it only counts',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  closedBody: true,
  body: z.object({
    since: Instant,
    until: Instant.optional().describe('Exclusive; now by default'),
    status: z
      .enum(['exhausted', 'dropped', 'delivered', 'retrying'])
      .optional()
      .describe('exhausted and dropped by default; retrying ones are attempted now'),
    dryRun: z.boolean().default(false),
  }),
  response: z.object({
    count: z.int(),
    replayId: WebhookReplayId.nullable().describe('null: it was only counted'),
  }),
  refusals: { 404: 'The organization has no such webhook', 409: notActive },
});

export const WebhookReplay = z
  .object({
    id: WebhookReplayId,
    startedAt: z.iso.datetime(),
    deliveries: z.int().describe('How many it sent again, those that were taken back since included'),
    waiting: z.int().describe('Of these, those that no attempt has been made of'),
    stoppedAt: z.iso.datetime().nullable(),
    takenBack: z.int().describe('How many were made what they had been, when it was stopped'),
  })
  .meta({ id: 'WebhookReplay' });
export type WebhookReplay = z.infer<typeof WebhookReplay>;

export const listReplays = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/webhooks/{webhookId}/replays',
  name: 'listReplays',
  summary:
    'The ten newest replays that sent something again, newest first, and how far each is; none for callers who are limited to projects',
  tag,
  audience: ['organization'],
  permission: 'webhooks.read',
  response: z.object({ results: z.array(WebhookReplay) }),
  refusals: { 404: 'The organization has no such webhook' },
});

export const stopReplay = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/{orgId}/webhooks/{webhookId}/replays/{replayId}/stop',
  name: 'stopReplay',
  summary:
    'Stops a replay: its deliveries that no attempt was made of are what they were before it. An attempt under way ends as it does',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  response: z.object({ count: z.int().describe('How many were taken back') }),
  refusals: { 404: 'The organization has no such webhook, or the webhook no such replay' },
});
