import type { Duplex } from 'node:stream';
import pg from 'pg';

export interface RowBytes {
  /** All fields but the last, as PostgreSQL sends them in its binary format. */
  fields: (Buffer | null)[];
  /** The last field, a text, in the chunks it arrived in; empty when it is null. The first holds at least 16 bytes, or all. */
  text: Buffer[];
}

/**
 * Reads the single row of a prepared statement whose last field is a text of megabytes; null for no row. The driver would
 * decode it into a string to have it encoded again; here the row is taken out of the stream before the driver reads it, and its
 * bytes are not even joined. COPY passes bytes through too, and is planned at each call, which was most of what a chunk cost.
 */
export async function readRowBytes(client: pg.ClientBase, config: pg.QueryConfig): Promise<RowBytes | null> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const query = new RowBytesQuery(config, (error) => (error ? reject(error) : resolve()));
  client.query(query);
  await promise;
  const [row] = query.received;
  return row ? parseRow(row) : null;
}

/** A query whose rows the driver does not see. It is alone on its connection: all that arrives belongs to it. */
class RowBytesQuery extends pg.Query {
  /** The content of each row, in the chunks it arrived in. */
  readonly received: Buffer[][] = [];

  constructor(config: pg.QueryConfig, callback: (error: Error | undefined) => void) {
    super({ ...config, binary: true } as pg.QueryConfig, callback);
    const submit = this.submit.bind(this);
    this.submit = (connection) => {
      const error: unknown = submit(connection);
      // With an error nothing was sent, and nothing will arrive.
      if (!error) takeRows(connection.stream, this.received);
      return error as void;
    };
  }
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: a code, and the length of what follows, itself included. */
const HEADER_BYTES = 5;
const DATA_ROW = 0x44;
const READY_FOR_QUERY = 0x5a;

const EMPTY: Buffer = Buffer.alloc(0);

/** Takes rows out of what arrives, and hands all else to the driver, until the server is ready for the next query. */
function takeRows(stream: Duplex, rows: Buffer[][]): void {
  const [forward] = stream.listeners('data') as [(bytes: Buffer) => void];
  let header = EMPTY;
  let code = 0;
  let left = 0;

  const readHeader = (bytes: Buffer): number => {
    const part = bytes.subarray(0, HEADER_BYTES - header.length);
    header = Buffer.concat([header, part]);
    if (header.length < HEADER_BYTES) return part.length;
    code = header.readUInt8();
    left = header.readUInt32BE(1) - 4;
    if (code === DATA_ROW) rows.push([]);
    else forward(header);
    header = EMPTY;
    return part.length;
  };
  const readBody = (bytes: Buffer): number => {
    const part = bytes.subarray(0, left);
    left -= part.length;
    // Before the driver knows, which may send the next query at once.
    if (code === READY_FOR_QUERY && left === 0) stream.off('data', read).on('data', forward);
    if (code === DATA_ROW) rows.at(-1)?.push(part);
    else forward(part);
    return part.length;
  };
  const read = (bytes: Buffer): void => {
    for (let offset = 0; offset < bytes.length;)
      offset += (left === 0 ? readHeader : readBody)(bytes.subarray(offset));
  };
  stream.on('data', read).off('data', forward);
}

function parseRow(chunks: readonly Buffer[]): RowBytes {
  for (let count = 1; count < chunks.length; count++) {
    const row = parseRowStart(Buffer.concat(chunks.slice(0, count)));
    if (row) return { ...row, text: [...row.text, ...chunks.slice(count)] };
  }
  const row = parseRowStart(Buffer.concat(chunks));
  if (!row) throw new Error('a row without fields');
  return row;
}

const FIRST_CHUNK_BYTES = 16;

/** Parses all fields but the last, and what is there of that; null where more bytes are needed. */
function parseRowStart(bytes: Buffer): RowBytes | null {
  if (bytes.length < 2) return null;
  const count = bytes.readInt16BE();
  let offset = 2;
  const fields: (Buffer | null)[] = [];
  for (let index = 1; index <= count; index++) {
    if (bytes.length < offset + 4) return null;
    const length = bytes.readInt32BE(offset);
    offset += 4;
    const end = offset + Math.max(0, length);
    if (index === count) {
      if (bytes.length < offset + Math.min(length, FIRST_CHUNK_BYTES)) return null;
      return { fields, text: length > 0 ? [bytes.subarray(offset)] : [] };
    }
    if (bytes.length < end) return null;
    fields.push(length === -1 ? null : bytes.subarray(offset, end));
    offset = end;
  }
  return null;
}
