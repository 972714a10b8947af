import { Readable, type Writable } from 'node:stream';

export interface Chunk {
  parts: readonly (Buffer | string)[];
  /** Called when the parts have left the process: their memory may be used again. */
  onSent?: (() => void) | undefined;
}

/**
 * Creates the body of a response that is sent chunk by chunk, each when the one before has left the process, so as fast as the
 * reader takes them; the next one is made meanwhile if the generator does so. It ends when the reader disconnects. Where the
 * generator fails after something was sent the connection is broken off, as by a reader who leaves: why is the generator's to
 * report.
 */
export const createChunkStream = (chunks: AsyncIterable<Chunk>): Readable => new ChunkStream(chunks);

/** A stream has no way to say that what it handed over was sent; so this one writes to what it is piped to. */
class ChunkStream extends Readable {
  readonly #chunks: AsyncIterable<Chunk>;
  #hasBegun = false;

  constructor(chunks: AsyncIterable<Chunk>) {
    super({ read() {} });
    this.#chunks = chunks;
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    const response = destination as unknown as Writable;
    this.#send(response).catch((error: unknown) => {
      if (response.destroyed) this.destroy();
      else this.destroy(this.#hasBegun ? new BrokenOff(error as Error) : (error as Error));
    });
    return destination;
  }

  async #send(response: Writable): Promise<void> {
    for await (const { parts, onSent } of this.#chunks) {
      if (this.destroyed) return;
      this.#hasBegun = true;
      await write(response, parts);
      onSent?.();
    }
    response.end();
    this.push(null);
    this.resume();
  }
}

/**
 * An answer was broken off after a part of it was handed over. The framework and its compression log it as a connection that was
 * closed, without a stack at the level of errors. Where the compression has passed on nothing yet the cause is still answered.
 */
export class BrokenOff extends Error {
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE';
  override readonly cause: Error;

  constructor(cause: Error) {
    super('the answer was broken off');
    this.cause = cause;
  }
}

/** Resolves when all has been handed to the operating system; rejects when the connection is closed before. */
async function write(response: Writable, parts: readonly (Buffer | string)[]): Promise<void> {
  if (parts.length === 0) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = (): void => reject(new Error('the reader has disconnected'));
  response.once('close', onClose);
  for (const part of parts.slice(0, -1)) response.write(part);
  response.write(parts.at(-1), (error) => (error ? reject(error) : resolve()));
  try {
    await promise;
  } finally {
    response.off('close', onClose);
  }
}
