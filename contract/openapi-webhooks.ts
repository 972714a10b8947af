import { z } from 'zod';
import { EventId } from './ids.ts';
import { envelopeOf, EVENT_TYPES, EventType, exampleEnvelope } from './webhook-events.ts';

type Json = Record<string, unknown>;
type SchemaOf = (type: z.ZodType, io: 'input' | 'output') => Json;

/** OpenAPI 3.1 `webhooks`: what receivers are sent, and what their answers mean. */
export const webhooksSection = (schemaOf: SchemaOf): Record<EventType, { post: Json }> =>
  Object.fromEntries(EventType.options.map((type) => [type, { post: delivery(type, schemaOf) }])) as Record<
    EventType,
    { post: Json }
  >;

const delivery = (type: EventType, schemaOf: SchemaOf): Json => ({
  operationId: operationId(type),
  summary: EVENT_TYPES[type].description,
  tags: ['Webhooks'],
  // The signature stands in the place of credentials.
  security: [],
  parameters: HEADERS.map(({ schema, ...header }) => ({
    ...header,
    in: 'header',
    required: true,
    schema: schemaOf(schema, 'output'),
  })),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: schemaOf(envelopeOf(type, EVENT_TYPES[type].data), 'output'),
        example: exampleEnvelope(type),
      },
    },
  },
  responses: RESPONSES,
});

/** `consent.withdrawn` → `onConsentWithdrawn`. */
const operationId = (type: string): string =>
  type.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase()).replace(/^/, 'on');

/** Standard Webhooks 1.0. */
const HEADERS: readonly { name: string; description: string; schema: z.ZodType }[] = [
  {
    name: 'webhook-id',
    description: 'The id of the event: the same on every attempt and to every endpoint. Deduplicate on it',
    schema: EventId,
  },
  {
    name: 'webhook-timestamp',
    description:
      'Seconds since 1970 at which this attempt was signed. Refuse what is more than five minutes off',
    schema: z.string().regex(/^\d+$/),
  },
  {
    name: 'webhook-signature',
    description:
      'Of "webhook-id.webhook-timestamp.body", HMAC-SHA256 in base64; several, separated by spaces, while a secret is rotated',
    schema: z.string().regex(/^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$/),
  },
];

const RESPONSES: Json = {
  '2XX': { description: 'Acknowledged, if it comes within 10 seconds; the body is ignored' },
  '3XX': { description: 'A failure: redirects are not followed' },
  '410': { description: 'The endpoint is gone: the webhook is suspended until it is resumed' },
  default: {
    description:
      'Tried again, up to seven times over 33 hours; Retry-After is heeded up to twice the delay. Then exhausted, and replayable',
  },
};
