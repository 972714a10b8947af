import { z } from 'zod';
import {
  buildEnvelopeSchema,
  EVENT_TYPES,
  EventType,
  buildExampleEnvelope,
  type listWebhookEventTypes,
} from '../../../../contract/webhooks/webhook-events.ts';

type EventTypeDto = z.infer<(typeof listWebhookEventTypes)['response']>['results'][number];

/** Returns every event type with its description, schema and an example. */
export const buildEventCatalogue = (): EventTypeDto[] =>
  EventType.options.map((type) => ({
    type,
    description: EVENT_TYPES[type].description,
    // The input schema: it permits further fields in the envelope, which the output schema forbids.
    schema: z.toJSONSchema(buildEnvelopeSchema(type, EVENT_TYPES[type].data), { io: 'input' }) as Record<
      string,
      unknown
    >,
    example: buildExampleEnvelope(type),
  }));
