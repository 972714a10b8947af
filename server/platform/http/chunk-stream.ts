import { Readable, type Writable } from 'node:stream';

export interface Chunk {
  parts: readonly (Buffer | string)[];
  /** Called when the parts have left the process: their memory may be used again. */
  onSent?: (() => void) | undefined;
}

/**
 * Creates the body of a response that is sent chunk by chunk, each when the one before has left the process, so as fast as the
 * reader takes them; the next one is made meanwhile if the generator does so. It ends when the reader disconnects.
 */
export const createChunkStream = (chunks: AsyncIterable<Chunk>): Readable => new ChunkStream(chunks);

/** A stream has no way to say that what it handed over was sent; so this one writes to what it is piped to. */
class ChunkStream extends Readable {
  readonly #chunks: AsyncIterable<Chunk>;

  constructor(chunks: AsyncIterable<Chunk>) {
    super({ read() {} });
    this.#chunks = chunks;
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    const response = destination as unknown as Writable;
    this.#send(response).catch((error: unknown) =>
      this.destroy(response.destroyed ? undefined : (error as Error)),
    );
    return destination;
  }

  async #send(response: Writable): Promise<void> {
    for await (const { parts, onSent } of this.#chunks) {
      if (this.destroyed) return;
      await write(response, parts);
      onSent?.();
    }
    response.end();
    this.push(null);
    this.resume();
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
