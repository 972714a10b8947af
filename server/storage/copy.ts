import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { withLiterals } from './literal.ts';
import type { Sql } from './sql.ts';

export interface CopiedRow {
  /** All fields but the last, as PostgreSQL sends them in its binary format. */
  fields: (Buffer | null)[];
  /** The last field, a text, in the pieces it came in; none when it is null. The first holds 16 bytes, or all there are. */
  text: Buffer[];
}

/**
 * The single row of a statement whose last field is a text of megabytes; null for no row. The driver would decode that into
 * a string to have it encoded again; COPY hands the bytes through, and they are not even put together.
 */
export async function copyRow(client: pg.ClientBase, statement: Sql): Promise<CopiedRow | null> {
  const stream = client.query(to(`copy (${withLiterals(statement)}) to stdout (format binary)`));
  let head: Buffer = Buffer.alloc(0);
  let row: (CopiedRow & { length: number }) | null = null;
  for await (const part of stream) {
    if (row) row.text.push(part as Buffer);
    else {
      head = head.length === 0 ? (part as Buffer) : Buffer.concat([head, part as Buffer]);
      row = begunIn(head);
    }
  }
  return row && { fields: row.fields, text: cut(row.text, row.length) };
}

/** Signature, flags and the length of the header's extension. */
const HEADER = 11 + 4 + 4;

const FIRST_PIECE = 16;

/** https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"; null where more is needed to begin, or no row came. */
function begunIn(bytes: Buffer): (CopiedRow & { length: number }) | null {
  if (bytes.length < HEADER + 2) return null;
  const count = bytes.readInt16BE(HEADER);
  let at = HEADER + 2;
  const fields: (Buffer | null)[] = [];
  for (let place = 1; place <= count; place++) {
    if (bytes.length < at + 4) return null;
    const length = bytes.readInt32BE(at);
    at += 4;
    const end = at + Math.max(0, length);
    if (place === count) {
      const enough = bytes.length >= at + Math.min(length, FIRST_PIECE);
      return enough ? { fields, text: [bytes.subarray(at)], length: Math.max(0, length) } : null;
    }
    if (bytes.length < end) return null;
    fields.push(length === -1 ? null : bytes.subarray(at, end));
    at = end;
  }
  return null;
}

/** The end of the data follows the text. */
function cut(pieces: readonly Buffer[], length: number): Buffer[] {
  let left = length;
  return pieces.flatMap((piece) => {
    const kept = piece.subarray(0, left);
    left -= kept.length;
    return kept.length > 0 ? [kept] : [];
  });
}
