import { z } from 'zod';
import {
  envelopeOf,
  EVENT_TYPES,
  EventType,
  exampleEnvelope,
  type listWebhookEventTypes,
} from '../../../contract/webhook-events.ts';

type CatalogueEntry = z.infer<(typeof listWebhookEventTypes)['response']>['results'][number];

/** Every type of event, as integrators are told of it. */
export const eventCatalogue = (): CatalogueEntry[] =>
  EventType.options.map((type) => ({
    type,
    description: EVENT_TYPES[type].description,
    // As of input: an envelope may get further fields, which a schema of output forbids.
    schema: z.toJSONSchema(envelopeOf(type, EVENT_TYPES[type].data), { io: 'input' }) as Record<
      string,
      unknown
    >,
    example: exampleEnvelope(type),
  }));
