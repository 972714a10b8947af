import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { inlineValues } from './literal.ts';
import type { Sql } from './sql.ts';

export interface CopiedRow {
  /** All fields but the last, as PostgreSQL sends them in its binary format. */
  fields: (Buffer | null)[];
  /** The last field, a text, in the chunks it arrived in; empty when it is null. The first holds at least 16 bytes, or all. */
  text: Buffer[];
}

/**
 * Reads the single row of a statement whose last field is a text of megabytes; null for no row. The driver would decode it
 * into a string to have it encoded again; COPY passes the bytes through, and they are not even joined.
 */
export async function copyRow(client: pg.ClientBase, statement: Sql): Promise<CopiedRow | null> {
  const stream = client.query(to(`copy (${inlineValues(statement)}) to stdout (format binary)`));
  let head: Buffer = Buffer.alloc(0);
  let row: (CopiedRow & { length: number }) | null = null;
  for await (const part of stream) {
    if (row) row.text.push(part as Buffer);
    else {
      head = head.length === 0 ? (part as Buffer) : Buffer.concat([head, part as Buffer]);
      row = parseRowStart(head);
    }
  }
  return row && { fields: row.fields, text: truncateChunks(row.text, row.length) };
}

/** Signature, flags and the length of the header's extension. */
const HEADER_BYTES = 11 + 4 + 4;

const FIRST_CHUNK_BYTES = 16;

/** https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"; null where more bytes are needed, or no row came. */
function parseRowStart(bytes: Buffer): (CopiedRow & { length: number }) | null {
  if (bytes.length < HEADER_BYTES + 2) return null;
  const count = bytes.readInt16BE(HEADER_BYTES);
  let offset = HEADER_BYTES + 2;
  const fields: (Buffer | null)[] = [];
  for (let index = 1; index <= count; index++) {
    if (bytes.length < offset + 4) return null;
    const length = bytes.readInt32BE(offset);
    offset += 4;
    const end = offset + Math.max(0, length);
    if (index === count) {
      const enough = bytes.length >= offset + Math.min(length, FIRST_CHUNK_BYTES);
      return enough ? { fields, text: [bytes.subarray(offset)], length: Math.max(0, length) } : null;
    }
    if (bytes.length < end) return null;
    fields.push(length === -1 ? null : bytes.subarray(offset, end));
    offset = end;
  }
  return null;
}

/** Drops what follows the text: the end marker of the data. */
function truncateChunks(chunks: readonly Buffer[], length: number): Buffer[] {
  let left = length;
  return chunks.flatMap((chunk) => {
    const slice = chunk.subarray(0, left);
    left -= slice.length;
    return slice.length > 0 ? [slice] : [];
  });
}
