import type { IncomingHttpHeaders } from 'node:http';

/** Whether a client takes an event stream and nothing else. */
export const acceptsEventsAlone = ({ accept = '' }: Pick<IncomingHttpHeaders, 'accept'>): boolean =>
  accept.includes('text/event-stream') && !/application\/json|application\/\*|\*\/\*/.test(accept);
