/** Longer than any that names the tables of a call. */
const MAX_LENGTH = 255;

const COMMENT = /--[^\n]*/g;
const OPERATION = /^\s*(?:with|select|insert|update|delete|merge|copy)\b/i;
const CHANGE =
  /\b(?:(insert) into|(delete) from|(merge) into|(update)(?!\s+(?:skip|of|set)\b))\s+([a-z_]\w*)/gi;
const TABLE = /\b(?:from|join)\s+(?:only\s+)?([a-z_]\w*)\b(?!\s*\()/gi;
/** What a `with` defines is no table. */
const DEFINED = /\b([a-z_]\w*)(?:\s*\([^()]*\))?\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi;
/** What follows `from` and is no table: functions of sets, parts of expressions. */
const NO_TABLE = new Set([
  'unnest',
  'lateral',
  'select',
  'generate_series',
  'jsonb_array_elements',
  'values',
]);

const summaries = new Map<string, string>();

/**
 * Summarizes a statement for telemetry (`db.query.summary`): what it does and to which tables, `SELECT entry passage`. Statements
 * are constants of the code, so that there are few, and none holds data.
 */
export function summarizeStatement(text: string): string {
  let summary = summaries.get(text);
  if (summary === undefined) summaries.set(text, (summary = summarize(text)));
  return summary;
}

function summarize(original: string): string {
  const text = original.replace(COMMENT, '');
  if (!OPERATION.test(text)) return (/^\s*(\w+)/.exec(text)?.[1] ?? 'statement').toUpperCase();
  const defined = new Set([...text.matchAll(DEFINED)].map(([, name = '']) => name.toLowerCase()));
  const isTable = (name: string): boolean =>
    !defined.has(name.toLowerCase()) && !NO_TABLE.has(name.toLowerCase());
  const changes = [...text.matchAll(CHANGE)]
    .map(([, insert, remove, merge, update, table = '']) => ({
      verb: (insert ?? remove ?? merge ?? update ?? '').toUpperCase(),
      table,
    }))
    .filter(({ table }) => isTable(table))
    .map(({ verb, table }) => `${verb} ${table}`);
  const read = [...text.matchAll(TABLE)].map(([, name = '']) => name).filter(isTable);
  const parts = changes.length > 0 ? changes : ['SELECT', ...read];
  return [...new Set(parts)].join(' ').slice(0, MAX_LENGTH);
}
