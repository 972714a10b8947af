import { z } from 'zod';
import { MAX_WEBHOOK_URL_LENGTH } from '../text-limits.ts';
import { DEFAULT_RANGE_DAYS } from '../default-range.ts';
import { defineEndpoint } from '../endpoint.ts';
import { AttemptAnswer, AttemptFault } from './webhook-deliveries.ts';
import { DayOrInstant, FROM_MOMENT, TO_MOMENT } from '../day-or-instant.ts';

/** The most points of time that statistics have. */
export const MAX_STATS_BUCKETS = 800;

/** The most changes of a webhook that its statistics name. */
export const MAX_STATS_CHANGES = 200;

const tag = 'Webhooks';
const quantiles = z.object({ p50: z.int(), p95: z.int() });
const PRECISION = 'milliseconds, within 5 %';

export const getWebhookStats = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/webhooks/{webhookId}/stats',
  name: 'getWebhookStats',
  summary: 'Deliveries and attempts of a webhook over time, and what was answered',
  tag,
  audience: ['organization'],
  permission: 'webhooks.read',
  query: z.object({
    from: DayOrInstant.optional().describe(
      `${FROM_MOMENT}; ${DEFAULT_RANGE_DAYS} days before \`to\` by default`,
    ),
    to: DayOrInstant.optional().describe(`${TO_MOMENT}; now by default`),
    bucket: z
      .enum(['hour', 'day'])
      .default('day')
      .describe(
        `Hours are those of UTC; days are those of the organization's time zone, with the hours that begin in them. At most ${MAX_STATS_BUCKETS} fit between from and to`,
      ),
  }),
  response: z.object({
    deliveries: z
      .array(
        z.object({
          at: z.iso.datetime(),
          delivered: z.int(),
          pending: z.int(),
          retrying: z.int(),
          exhausted: z.int(),
          dropped: z.int(),
        }),
      )
      .describe('By the time of the event, each as it stands now; times without any are left out'),
    attempts: z
      .array(
        z.object({
          at: z.iso.datetime(),
          delivered: z.int(),
          failed: z.int(),
          durationMs: quantiles.describe(`Until the answer, or the failure; ${PRECISION}`),
          delayMs: quantiles
            .nullable()
            .describe(`From the event to its first attempt, ${PRECISION}; null: there was none`),
        }),
      )
      .describe('By the time of the attempt; times without any are left out'),
    answers: z.array(z.object({ answer: AttemptAnswer, attempts: z.int() })).describe('Most frequent first'),
    changes: z
      .array(
        z.object({
          at: z.iso.datetime(),
          change: z
            .enum(['url', 'secret', 'paused', 'resumed', 'suspended'])
            .describe('The address, a new secret, or the status'),
        }),
      )
      .describe(
        `When the webhook changed so that its deliveries may go otherwise, oldest first, of the newest ${MAX_STATS_CHANGES} entries of the audit log about it`,
      ),
  }),
  refusals: { 404: 'The organization has no such webhook' },
});

export const checkWebhookUrl = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/{orgId}/webhooks/check-url',
  name: 'checkWebhookUrl',
  summary:
    'Says whether an address could be registered and its name resolves to the public internet now; connects to nothing',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  closedBody: true,
  body: z.object({ url: z.string().max(MAX_WEBHOOK_URL_LENGTH) }),
  response: z.object({
    ok: z.boolean(),
    fault: AttemptFault.nullable(),
    message: z.string().nullable().describe('The fault as a sentence'),
  }),
  refusals: { 429: 'rate_limited: an organization may ask thirty times a minute' },
});
