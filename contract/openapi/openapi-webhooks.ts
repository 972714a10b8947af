import { z } from 'zod';
import { EventId } from '../brands.ts';
import type { SchemaConverter } from './openapi-components.ts';
import {
  buildEnvelopeSchema,
  EVENT_TYPES,
  EventType,
  buildExampleEnvelope,
} from '../webhooks/webhook-events.ts';

type Json = Record<string, unknown>;

/** Builds the OpenAPI 3.1 `webhooks`: the requests that receivers get, and the meaning of their answers. */
export const buildWebhooks = (toSchema: SchemaConverter): Record<EventType, { post: Json }> =>
  Object.fromEntries(
    EventType.options.map((type) => [type, { post: buildDeliveryOperation(type, toSchema) }]),
  ) as Record<EventType, { post: Json }>;

const buildDeliveryOperation = (type: EventType, toSchema: SchemaConverter): Json => ({
  operationId: toOperationId(type),
  summary: EVENT_TYPES[type].description,
  tags: ['Webhooks'],
  // Receivers verify the signature; there are no other credentials.
  security: [],
  parameters: HEADERS.map(({ schema, ...header }) => ({
    ...header,
    in: 'header',
    required: true,
    schema: toSchema(schema, 'output'),
  })),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: toSchema(buildEnvelopeSchema(type, EVENT_TYPES[type].data), 'output'),
        example: buildExampleEnvelope(type),
      },
    },
  },
  responses: RESPONSES,
});

/** `consent.withdrawn` → `onConsentWithdrawn`. */
const toOperationId = (type: string): string =>
  type.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase()).replace(/^/, 'on');

/** Standard Webhooks 1.0. */
const HEADERS: readonly { name: string; description: string; schema: z.ZodType }[] = [
  {
    name: 'webhook-id',
    description: 'The id of the event: the same on every attempt and for every endpoint. Deduplicate by it',
    schema: EventId,
  },
  {
    name: 'webhook-timestamp',
    description:
      'Unix seconds at which this attempt was signed. Reject a timestamp that is more than five minutes off',
    schema: z.string().regex(/^\d+$/),
  },
  {
    name: 'webhook-signature',
    description:
      'HMAC-SHA256 of "webhook-id.webhook-timestamp.body" in base64; several, separated by spaces, while a secret is rotated',
    schema: z.string().regex(/^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$/),
  },
];

const RESPONSES: Json = {
  '2XX': { description: 'Acknowledged, when it arrives within 10 seconds; the body is ignored' },
  '3XX': { description: 'A failure: redirects are not followed' },
  '410': { description: 'The endpoint is gone: the webhook is suspended until it is resumed' },
  default: {
    description:
      'Retried up to seven times over 33 hours; Retry-After is honoured up to twice the delay. After that the delivery is exhausted and can be replayed',
  },
};
