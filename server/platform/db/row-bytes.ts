import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { PostgresSocket } from './postgres-socket.ts';
import { createRowBuffers, type RowBuffer } from './row-buffers.ts';

export interface RowBytes {
  /** All fields but the last, as PostgreSQL sends them in its binary format. */
  fields: (Buffer | null)[];
  /** The last field, a text; empty when it is null. */
  text: Buffer;
  /** Lets another row have the memory of this one; for when none of it will be read any more. */
  release(): void;
}

/**
 * Reads the single row of a prepared statement whose last field is a text of megabytes; null for no row. The driver would
 * decode it into a string to have it encoded again; here the row is taken out of the stream before the driver reads it. COPY
 * passes bytes through too, and is planned at each call, which was most of what a chunk cost.
 */
export async function readRowBytes(client: pg.ClientBase, config: pg.QueryConfig): Promise<RowBytes | null> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const query = new RowBytesQuery(config, (error) => (error ? reject(error) : resolve()));
  client.query(query);
  try {
    await promise;
  } catch (error) {
    // The driver reports an error before its last message, which the next query would take for the end of its own answer.
    await query.waitForEnd();
    throw error;
  }
  const [row] = query.received;
  return row ? parseRow(row) : null;
}

/** A query whose rows the driver does not see. It is alone on its connection: all that arrives belongs to it. */
class RowBytesQuery extends pg.Query {
  /** The content of each row. */
  readonly received: RowBuffer[] = [];
  #end: Promise<unknown> = Promise.resolve();
  #stream: Duplex | undefined;

  constructor(config: pg.QueryConfig, callback: (error: Error | undefined) => void) {
    super({ ...config, binary: true } as pg.QueryConfig, callback);
    const submit = this.submit.bind(this);
    this.submit = (connection) => {
      const error: unknown = submit(connection);
      // With an error nothing was sent, and nothing will arrive.
      if (!error) this.#end = takeRows((this.#stream = connection.stream), this.received);
      return error as void;
    };
  }

  /** Waits until the server is ready for the next query, or its connection is lost. */
  async waitForEnd(): Promise<void> {
    if (this.#stream?.destroyed !== false) return;
    const waiting = new AbortController();
    const lost = once(this.#stream, 'close', waiting).catch(() => {});
    await Promise.race([this.#end, lost]);
    waiting.abort();
  }
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: a code, and the length of what follows, itself included. */
const HEADER_BYTES = 5;
const DATA_ROW = 0x44;
const READY_FOR_QUERY = 0x5a;

const buffers = createRowBuffers();

/** Takes rows out of what arrives, and hands all else to the driver, until the server is ready for the next query: resolves then. */
function takeRows(stream: Duplex, rows: RowBuffer[]): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const forward = getReader(stream);
  const header = Buffer.alloc(HEADER_BYTES);
  let headerBytes = 0;
  let code = 0;
  let left = 0;

  const readHeader = (bytes: Buffer): number => {
    const count = bytes.copy(header, headerBytes);
    headerBytes += count;
    if (headerBytes < HEADER_BYTES) return count;
    headerBytes = 0;
    code = header.readUInt8();
    left = header.readUInt32BE(1) - 4;
    if (code === DATA_ROW) rows.push(buffers.take(left));
    else forward(Buffer.from(header));
    return count;
  };
  const readContent = (bytes: Buffer): number => {
    const part = bytes.subarray(0, left);
    const row = code === DATA_ROW ? rows.at(-1)?.bytes : undefined;
    if (row) part.copy(row, row.length - left);
    left -= part.length;
    // Before the driver knows, which may send the next query at once.
    if (code === READY_FOR_QUERY && left === 0) {
      stop();
      end();
    }
    if (!row) forward(Buffer.from(part));
    return part.length;
  };
  const stop = listen(stream, (bytes) => {
    for (let offset = 0; offset < bytes.length;)
      offset += (left === 0 ? readHeader : readContent)(bytes.subarray(offset));
  });
  return ended;
}

/** The driver's, the one listener. */
const getReader = (stream: Duplex) => stream.listeners('data')[0] as (bytes: Buffer) => void;

/** Has `read` take what arrives, in the place of the driver; returns what ends that. */
function listen(stream: Duplex, read: (bytes: Buffer) => void): () => void {
  if (stream instanceof PostgresSocket) {
    stream.tap = read;
    return () => void (stream.tap = null);
  }
  const forward = getReader(stream);
  stream.on('data', read).off('data', forward);
  return () => void stream.off('data', read).on('data', forward);
}

function parseRow({ bytes, release }: RowBuffer): RowBytes {
  let offset = 2;
  const fields = Array.from({ length: bytes.readInt16BE() }, () => {
    const length = bytes.readInt32BE(offset);
    offset += 4;
    return length === -1 ? null : bytes.subarray(offset, (offset += length));
  });
  return { text: fields.pop() ?? Buffer.alloc(0), fields, release };
}
