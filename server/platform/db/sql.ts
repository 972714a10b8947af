/** A statement as a value: text with $1…, and the values to bind. `Row` is the type of its rows. */
export interface Sql<Row = unknown> {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Only for the type checker. */
  readonly row?: Row;
}

/** Builds a statement from a template: values are bound, never spliced in; another `sql` value becomes a fragment. */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...values: unknown[]): Sql<Row> {
  return new Template(strings, values);
}

/** Makes a fragment of text that comes from the code, never from input. */
export const raw = (text: string): Sql => new Template([text], []);

/** A template that is written out once, as a whole: nested fragments are not numbered separately. */
class Template implements Sql {
  readonly #strings: readonly string[];
  readonly #parts: readonly unknown[];
  #written: { text: string; values: unknown[] } | undefined;

  constructor(strings: readonly string[], parts: readonly unknown[]) {
    this.#strings = strings;
    this.#parts = parts;
  }

  get text(): string {
    return this.#write().text;
  }

  get values(): readonly unknown[] {
    return this.#write().values;
  }

  #write(): { text: string; values: unknown[] } {
    return (this.#written ??= this.#append({ text: '', values: [] }));
  }

  #append(to: { text: string; values: unknown[] }): { text: string; values: unknown[] } {
    to.text += this.#strings[0] ?? '';
    this.#parts.forEach((part, index) => {
      if (part instanceof Template) part.#append(to);
      else to.text += `$${to.values.push(part)}`;
      to.text += this.#strings[index + 1] ?? '';
    });
    return to;
  }
}

const names = new Map<string, string>();

/**
 * Returns the name under which a statement is prepared once per connection. Statements are constants of the code,
 * so their number is bounded; only their bindings vary.
 */
export function getStatementName(text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = `q${names.size}`));
  return name;
}
