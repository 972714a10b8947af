import { createHash } from 'node:crypto';
import { z } from 'zod';

/**
 * A backup is a zip with a member for each table, `tables/{name}.jsonl`: a line a row, the row as PostgreSQL writes it as text,
 * as a JSON string. Both engines write the same text, so a backup of either is restored into either. What is in it is in
 * `manifest.json`, the last member.
 */
export const Manifest = z.object({
  format: z.literal(1),
  /** ISO 8601; the moment that all of it shows. */
  takenAt: z.iso.datetime(),
  engine: z.enum(['embedded', 'postgresql']),
  /** The version of the program that wrote it; absent: an early one. */
  program: z
    .string()
    .regex(/^[\w.+-]{1,40}$/)
    .optional(),
  /** The schema that the rows fit, in the order in which it was applied. */
  migrations: z.array(z.object({ name: z.string().regex(/^[\w.-]{1,100}$/), checksum: z.string() })),
  /** In an order in which they can be filled: what is referenced comes first. */
  tables: z.array(
    z.object({ name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/), rows: z.int().min(0), digest: z.string() }),
  ),
});
export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST_MEMBER = 'manifest.json';
export const nameTableMember = (table: string): string => `tables/${table}.jsonl`;

/** What makes the text of a row the same whoever asks. */
export const SESSION_FORMAT = `set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local statement_timeout = 0`;

/** A backup cannot be written or restored; the message is for the operator and quotes no record. */
export class BackupError extends Error {
  readonly code = 'backup';
}

/** Counts rows, and digests them in whatever order they come: the XOR of their SHA-256. */
export function createRowDigest(): { add(row: string): void; rows: number; readonly digest: string } {
  const sum = Buffer.alloc(32);
  return {
    rows: 0,
    add(row) {
      const hash = createHash('sha256').update(row).digest();
      for (let index = 0; index < sum.length; index++)
        sum[index] = (sum[index] as number) ^ (hash[index] as number);
      this.rows++;
    },
    get digest() {
      return sum.toString('hex');
    },
  };
}
