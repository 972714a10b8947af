import type { FastifyReply } from 'fastify';
import { acceptsEventsAlone } from '../../../platform/http/accepts-events.ts';

/** Returns the body of an answer: JSON; for a client that accepts only an event stream, one event that holds the same. */
export function formatMessage(reply: FastifyReply, message: object): unknown {
  const isEvent = acceptsEventsAlone(reply.request.headers);
  void reply.type(isEvent ? 'text/event-stream' : 'application/json');
  return isEvent ? `event: message\ndata: ${JSON.stringify(message)}\n\n` : message;
}
