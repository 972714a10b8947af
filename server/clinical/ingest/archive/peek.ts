import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Returns the first bytes of a stream and puts them back, so that its reader gets all of it; empty when it has none. */
export async function peek(stream: Readable): Promise<Buffer> {
  // The reader of the stream gets the error; until there is one, it must not be an unhandled event.
  stream.on('error', () => {});
  while (!stream.readableEnded) {
    if (stream.errored) throw stream.errored;
    const chunk = stream.read() as Buffer | null;
    if (chunk !== null) {
      stream.unshift(chunk);
      return chunk;
    }
    const waiting = new AbortController();
    const { signal } = waiting;
    try {
      await Promise.race([once(stream, 'readable', { signal }), once(stream, 'end', { signal })]);
    } finally {
      waiting.abort();
    }
  }
  return Buffer.alloc(0);
}
