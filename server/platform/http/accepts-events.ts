import type { IncomingHttpHeaders } from 'node:http';
import { parseMediaRanges } from './media-ranges.ts';

/** Whether a client takes an event stream and nothing else. */
export function acceptsEventsAlone({ accept = '' }: Pick<IncomingHttpHeaders, 'accept'>): boolean {
  if (!accept.includes('event-stream')) return false;
  const types = new Map(parseMediaRanges(accept).map(({ type, quality }) => [type, quality > 0]));
  // The most specific range counts (RFC 9110 §12.5.1).
  const takes = (...ranges: string[]): boolean =>
    ranges.map((range) => types.get(range)).find((taken) => taken !== undefined) ?? false;
  return takes('text/event-stream') && !takes('application/json', 'application/*', '*/*');
}
