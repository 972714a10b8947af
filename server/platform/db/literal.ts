import pg from 'pg';
import type { Sql } from './sql.ts';

/** Writes the values of a statement into its text, for COPY, which takes no bindings. */
export const inlineValues = ({ text, values }: Sql): string =>
  text.replace(/\$(\d+)/g, (_match, number: string) => toLiteral(values[Number(number) - 1]));

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (typeof value === 'boolean') return String(value);
  // In parentheses: `x-$1` would begin a comment, and `$1::integer` would be cast before it is negated.
  if (typeof value === 'number' && Number.isFinite(value)) return value < 0 ? `(${value})` : String(value);
  if (value instanceof Date) return `${pg.escapeLiteral(value.toISOString())}::timestamptz`;
  if (Array.isArray(value)) return value.length === 0 ? "'{}'" : `array[${value.map(toLiteral).join(', ')}]`;
  throw new TypeError('no literal of this type');
}
