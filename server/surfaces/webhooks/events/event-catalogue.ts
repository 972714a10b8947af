import { z } from 'zod';
import {
  buildEnvelopeSchema,
  EVENT_TYPES,
  EventType,
  buildExampleEnvelope,
  type listWebhookEventTypes,
} from '../../../../contract/webhooks/webhook-events.ts';

type EventTypeDto = z.infer<(typeof listWebhookEventTypes)['response']>['results'][number];

/** Every type of event, as integrators are told of it. */
export const buildEventCatalogue = (): EventTypeDto[] =>
  EventType.options.map((type) => ({
    type,
    description: EVENT_TYPES[type].description,
    // As of input: an envelope may get further fields, which a schema of output forbids.
    schema: z.toJSONSchema(buildEnvelopeSchema(type, EVENT_TYPES[type].data), { io: 'input' }) as Record<
      string,
      unknown
    >,
    example: buildExampleEnvelope(type),
  }));
