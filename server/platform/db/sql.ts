/** A statement as a value: text with $1…, and the values to bind. `Row` is the type of its rows. */
export interface Sql<Row = unknown> {
  readonly text: string;
  readonly values: readonly unknown[];
  /** See `asLookUp`. */
  readonly isLookUp?: boolean;
  /** See `forAnyPatient`. */
  readonly isForAnyPatient?: boolean;
  /** Only for the type checker. */
  readonly row?: Row;
}

/** Builds a statement from a template: values are bound, never spliced in; another `sql` value becomes a fragment. */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...values: unknown[]): Sql<Row> {
  return new Template(strings, values);
}

/** Makes a fragment of text that comes from the code, never from input. */
export const raw = (text: string): Sql => new Template([text], []);

/**
 * Marks a statement that reads a few rows by their keys, and so takes well under a millisecond and waits for no lock and no
 * disk: those of one turn of the event loop are sent together, and answered one after the other.
 */
export const asLookUp = <Row>(statement: Sql<Row>): Sql<Row> =>
  (statement as Template).mark({ isLookUp: true });

/**
 * Marks a statement of writers whose plan must not go by whose record it is. Of a patient who came after its statistics the
 * planner expects one row, for which any index of theirs will do, and takes the smallest: looked up by another key, each row was
 * found by going through the whole record. Without the value it expects what a patient has on average.
 */
export const forAnyPatient = <Row>(statement: Sql<Row>): Sql<Row> =>
  (statement as Template).mark({ isForAnyPatient: true });

type Marks = Pick<Sql, 'isLookUp' | 'isForAnyPatient'>;

/** A template that is written out once, as a whole: nested fragments are not numbered separately. */
class Template implements Sql {
  readonly #strings: readonly string[];
  readonly #parts: readonly unknown[];
  #written: { text: string; values: unknown[] } | undefined;
  readonly isLookUp: boolean;
  readonly isForAnyPatient: boolean;

  constructor(
    strings: readonly string[],
    parts: readonly unknown[],
    { isLookUp = false, isForAnyPatient = false }: Marks = {},
  ) {
    this.#strings = strings;
    this.#parts = parts;
    this.isLookUp = isLookUp;
    this.isForAnyPatient = isForAnyPatient;
  }

  mark(marks: Marks): Template {
    const { isLookUp, isForAnyPatient } = this;
    return new Template(this.#strings, this.#parts, { isLookUp, isForAnyPatient, ...marks });
  }

  get text(): string {
    return this.#write().text;
  }

  get values(): readonly unknown[] {
    return this.#write().values;
  }

  #write(): { text: string; values: unknown[] } {
    if (this.#written === undefined) {
      const values: unknown[] = [];
      const shape = this.#bind(SHAPES, values);
      shape.text ??= this.#append({ text: '', count: 0 }).text;
      this.#written = { text: shape.text, values };
    }
    return this.#written;
  }

  /** Collects the values, and goes from a shape to that with this template behind it. */
  #bind(from: Shape, values: unknown[]): Shape {
    let shape = stepTo(from, this.#parts.length === 0 ? this.#strings[0] : this.#strings);
    for (const part of this.#parts)
      if (part instanceof Template) shape = part.#bind(shape, values);
      else {
        values.push(part);
        shape = stepTo(shape, null);
      }
    return shape;
  }

  #append(to: { text: string; count: number }): { text: string; count: number } {
    to.text += this.#strings[0] ?? '';
    this.#parts.forEach((part, index) => {
      if (part instanceof Template) part.#append(to);
      else to.text += `$${++to.count}`;
      to.text += this.#strings[index + 1] ?? '';
    });
    return to;
  }
}

/**
 * What a statement is put together of, by which its text is found again: the text of a gated read is 13 kB of 300 fragments,
 * and to join and to hash it took a tenth of a call. The strings of a template are one object for each place in the code.
 */
interface Shape {
  /** Of most shapes there is one. */
  next: { step: unknown; shape: Shape } | null;
  others: Map<unknown, Shape> | null;
  text: string | null;
}

const createShape = (): Shape => ({ next: null, others: null, text: null });

const SHAPES = createShape();

/** A step is the strings of a template, the text of one without parts, or null for a value. */
function stepTo(shape: Shape, step: unknown): Shape {
  shape.next ??= { step, shape: createShape() };
  if (shape.next.step === step) return shape.next.shape;
  shape.others ??= new Map();
  let other = shape.others.get(step);
  if (other === undefined) shape.others.set(step, (other = createShape()));
  return other;
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
