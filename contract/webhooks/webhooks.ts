import { z } from 'zod';
import { MAX_WEBHOOK_DESCRIPTION_LENGTH, MAX_WEBHOOK_URL_LENGTH } from '../text-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { OrganizationId, ProjectId, WebhookId } from '../brands.ts';
import { httpsAddress } from '../https-address.ts';
import { PageQuery } from '../page-query.ts';
import { Delivery, DeliveryAttempt } from './webhook-deliveries.ts';
import { EventType, openEnum } from './webhook-events.ts';

/** The most webhooks that an organization may have. */
export const MAX_WEBHOOKS = 20;

/** The most live secrets of a webhook: each adds a signature to the header of every delivery. */
export const MAX_SECRETS = 5;

/** Hours without an acknowledged delivery after which the console's members are notified. */
export const ANNOUNCED_AFTER_HOURS: readonly number[] = [1, 12, 33];

const url = httpsAddress(MAX_WEBHOOK_URL_LENGTH).refine(
  (text) => !text.includes('#') && !URL.parse(text)?.username && !URL.parse(text)?.password,
  'must hold no fragment or credentials',
);

const description = z.string().trim().max(MAX_WEBHOOK_DESCRIPTION_LENGTH);
const eventTypes = z.array(EventType).min(1).max(50);
const maxPerSecond = z
  .int()
  .min(1)
  .max(1000)
  .nullable()
  .describe('Attempts per second from each node; null: as fast as the endpoint answers');

const refuseBesideAll = ({ code }: { code: string }): string | undefined =>
  code === 'unrecognized_keys' ? 'takes nothing besides "type": "all"' : undefined;

export const ProjectScope = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('all') }, { error: refuseBesideAll })
    .describe('Includes projects that are created later'),
  z.object({ type: z.literal('projects'), projectIds: z.array(ProjectId).min(1).max(100) }),
]);
export type ProjectScope = z.infer<typeof ProjectScope>;

export const WebhookStatus = z.enum(['active', 'paused', 'suspended']);
export type WebhookStatus = z.infer<typeof WebhookStatus>;

export const Webhook = z
  .object({
    id: WebhookId,
    organizationId: OrganizationId,
    url: z.string(),
    description: z.string(),
    // A later version, beside this one while nodes are upgraded, has further ones.
    eventTypes: z.array(openEnum(EventType.options)),
    projectScope: ProjectScope,
    maxPerSecond,
    status: WebhookStatus.describe(
      'paused: by the organization; suspended: the endpoint answered 410. Events are dropped meanwhile and can be replayed',
    ),
    statusSince: z.iso.datetime(),
    secrets: z
      .array(
        z.object({
          fingerprint: z
            .string()
            .nullable()
            .describe(
              'The first 12 digits of the SHA-256 of the secret, in hex; null: the service lacks the key that it is sealed under, and signs nothing with it',
            ),
          createdAt: z.iso.datetime(),
          expiresAt: z.iso.datetime().nullable().describe('null: until the next rotation'),
        }),
      )
      .describe('Deliveries are signed with each of them; newest first'),
    failing: z
      .object({
        since: z.iso.datetime().describe('Every attempt has failed since'),
        announcements: z.array(z.object({ afterHours: z.int(), announcedAt: z.iso.datetime() })),
      })
      .nullable()
      .describe(
        `Announced by mail to the members of the console, or whom the organization names, after ${new Intl.ListFormat('en-GB').format(ANNOUNCED_AFTER_HOURS.map(String))} hours`,
      ),
    deliveries: z
      .object({ pending: z.int(), retrying: z.int(), exhausted: z.int(), dropped: z.int() })
      .describe('The number of deliveries in each state but delivered'),
    createdAt: z.iso.datetime(),
    changedAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

const secret = z.string().describe('whsec_ and the base64 of 32 bytes; shown once');

const tag = 'Webhooks';
const collectionPath = '/v1/organizations/{orgId}/webhooks';
const itemPath = '/v1/organizations/{orgId}/webhooks/{webhookId}';
const notFound = { 404: 'The organization has no such webhook' } as const;

export const createWebhook = defineEndpoint({
  method: 'POST',
  path: collectionPath,
  name: 'createWebhook',
  summary: 'Registers an https endpoint that events are sent to',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  presence: true,
  closedBody: true,
  body: z.object({
    url,
    description: description.default(''),
    eventTypes,
    projectScope: ProjectScope.default({ type: 'all' }),
    maxPerSecond: maxPerSecond.default(null),
  }),
  status: 201,
  response: Webhook.extend({ secret }),
  refusals: { 409: `too_many_webhooks: an organization has at most ${MAX_WEBHOOKS}` },
});

export const listWebhooks = defineEndpoint({
  method: 'GET',
  path: collectionPath,
  name: 'listWebhooks',
  summary: "The organization's webhooks, oldest first",
  tag,
  audience: ['organization'],
  permission: 'webhooks.read',
  query: PageQuery,
  response: z.object({ total: z.int(), results: z.array(Webhook) }),
});

export const getWebhook = defineEndpoint({
  method: 'GET',
  path: itemPath,
  name: 'getWebhook',
  summary: 'One webhook',
  tag,
  audience: ['organization'],
  permission: 'webhooks.read',
  response: Webhook,
  refusals: notFound,
});

export const updateWebhook = defineEndpoint({
  method: 'PATCH',
  path: itemPath,
  name: 'updateWebhook',
  summary:
    'Changes the address, the event types or the projects. Deliveries that are still due go to the new address; new types and projects apply to later events',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  closedBody: true,
  presence: true,
  body: z
    .object({
      url: url.optional(),
      description: description.optional(),
      eventTypes: eventTypes.optional(),
      projectScope: ProjectScope.optional(),
      maxPerSecond: maxPerSecond.optional(),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), 'must change something'),
  response: Webhook,
  refusals: notFound,
});

export const deleteWebhook = defineEndpoint({
  method: 'DELETE',
  path: itemPath,
  name: 'deleteWebhook',
  summary: 'Removes a webhook with its deliveries; the events stay listed',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  presence: true,
  status: 204,
  response: z.undefined(),
  refusals: notFound,
});

export const pauseWebhook = defineEndpoint({
  method: 'POST',
  path: `${itemPath}/pause`,
  name: 'pauseWebhook',
  summary:
    'Pauses a webhook. Events are dropped while it is paused, each listed as a dropped delivery; earlier deliveries wait',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  presence: true,
  response: Webhook,
  refusals: notFound,
});

export const resumeWebhook = defineEndpoint({
  method: 'POST',
  path: `${itemPath}/resume`,
  name: 'resumeWebhook',
  summary:
    'Resumes a webhook that was paused or suspended. A replay sends the events that were dropped meanwhile',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  response: Webhook,
  refusals: notFound,
});

export const testWebhook = defineEndpoint({
  method: 'POST',
  path: `${itemPath}/test`,
  name: 'testWebhook',
  summary:
    'Sends a webhook.test event now, to a paused webhook too, and answers with the outcome; it is retried like every event',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  closedBody: true,
  body: z.object({
    projectId: ProjectId.optional().describe('The project of the event; the oldest in scope by default'),
  }),
  bodyOptional: true,
  response: z.object({ delivered: z.boolean(), delivery: Delivery, attempt: DeliveryAttempt }),
  refusals: { ...notFound, 409: 'no_project: there is no project in scope' },
});

export const rotateWebhookSecret = defineEndpoint({
  method: 'POST',
  path: `${itemPath}/rotate-secret`,
  name: 'rotateWebhookSecret',
  summary: 'Creates a new secret; for a while deliveries are signed with the old one too',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  presence: true,
  closedBody: true,
  body: z.object({
    overlapSeconds: z
      .int()
      .min(0)
      .max(7 * 24 * 3600)
      .default(24 * 3600)
      .describe('0: the old secret ends now'),
  }),
  bodyOptional: true,
  response: z.object({
    secret,
    previousExpiresAt: z.iso.datetime(),
    webhook: Webhook,
  }),
  refusals: {
    ...notFound,
    409: `too_many_secrets: ${MAX_SECRETS} are in use; rotate with overlapSeconds 0, or wait`,
  },
});

export const endFormerSecrets = defineEndpoint({
  method: 'POST',
  path: `${itemPath}/end-former-secrets`,
  name: 'endFormerSecrets',
  summary:
    'Ends the secrets from before the last rotation now: deliveries are signed with the newest one alone',
  tag,
  audience: ['organization'],
  permission: 'webhooks.manage',
  presence: true,
  response: Webhook,
  refusals: notFound,
});
