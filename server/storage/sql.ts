/** A statement as a value: text with $1…, and what to bind. `Row` is what it answers with. */
export interface Sql<Row = unknown> {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Only for the type checker. */
  readonly row?: Row;
}

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && 'text' in value && 'values' in value;

/** SQL as SQL; values are bound, never spliced; another `sql` value is placed inside as a fragment. */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...values: unknown[]): Sql<Row> {
  let text = strings[0] ?? '';
  const bound: unknown[] = [];
  values.forEach((value, index) => {
    if (isSql(value)) {
      text += value.text.replace(/\$(\d+)/g, (_, place: string) => `$${Number(place) + bound.length}`);
      bound.push(...value.values);
    } else {
      bound.push(value);
      text += `$${bound.length}`;
    }
    text += strings[index + 1] ?? '';
  });
  return { text, values: bound };
}

const names = new Map<string, string>();

/**
 * The name under which a statement is prepared once per connection. Statements are constants of the code,
 * so their number is bounded; only their bindings vary.
 */
export function statementName(text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = `q${names.size}`));
  return name;
}
