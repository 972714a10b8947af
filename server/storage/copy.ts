import type pg from 'pg';
import { to } from 'pg-copy-streams';
import { withLiterals } from './literal.ts';
import type { Sql } from './sql.ts';

/** Signature, flags and the length of the header's extension. */
const HEADER = 11 + 4 + 4;

/**
 * The single row of a statement, field by field as the bytes PostgreSQL sends in its binary format; null for no row. The
 * driver would decode a text of a megabyte into a string to have it encoded again; COPY hands the bytes through.
 */
export async function copyRow(client: pg.ClientBase, statement: Sql): Promise<(Buffer | null)[] | null> {
  const stream = client.query(to(`copy (${withLiterals(statement)}) to stdout (format binary)`));
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return fieldsOf(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
}

/** https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format". */
function fieldsOf(bytes: Buffer): (Buffer | null)[] | null {
  let at = HEADER;
  const count = bytes.readInt16BE(at);
  if (count === -1) return null;
  at += 2;
  return Array.from({ length: count }, () => {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length === -1) return null;
    const field = bytes.subarray(at, at + length);
    at += length;
    return field;
  });
}
