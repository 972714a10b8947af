/** The parts of JSON Schema that arguments of tools use. */
interface PropertySchema {
  type?: string;
  description?: string;
  /** A list, where the tool takes one. */
  default?: string | number | boolean | readonly (string | number)[];
  enum?: readonly string[];
  items?: PropertySchema;
}

export interface ToolSchema {
  properties: Readonly<Record<string, PropertySchema>>;
  required?: readonly string[];
}

/** A tool as `tools/list` describes it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: ToolSchema;
}

/** How a person enters an argument: one of some, several of some, a number, a line of text, a line for each item, or JSON. */
export type FieldKind = 'choice' | 'choices' | 'number' | 'text' | 'lines' | 'yes' | 'json';

export interface ToolField {
  name: string;
  kind: FieldKind;
  isRequired: boolean;
  /** In the words of the schema, which are English. */
  hint: string | undefined;
  options: readonly string[];
  /** What the service takes where nothing is entered, as text. */
  fallback: string | undefined;
}

/** Returns a field for each argument of a tool, in the order of the schema. */
export const listFields = ({ properties, required = [] }: ToolSchema): ToolField[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    kind: findKind(schema),
    isRequired: required.includes(name),
    hint: schema.description,
    options: schema.enum ?? schema.items?.enum ?? [],
    fallback: schema.default?.toString(),
  }));

function findKind({ type, enum: options, items }: PropertySchema): FieldKind {
  if (type === 'boolean') return 'yes';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'string') return options ? 'choice' : 'text';
  // Whatever no field is made for can be written as it is sent.
  if (type !== 'array' || items?.type !== 'string') return 'json';
  return items.enum ? 'choices' : 'lines';
}

/** What is entered, as text: the chosen of `choices` and the items of `lines` one in a line, `yes` as true. */
export type FieldTexts = Readonly<Record<string, string>>;

export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export interface ReadFields {
  input: Record<string, unknown>;
  /** The names of fields that are required and empty, or that hold no number or no JSON. */
  faults: string[];
}

/** Returns the arguments that fields hold; what is empty is left out, so that the service takes its default. */
export function readFields(fields: readonly ToolField[], texts: FieldTexts): ReadFields {
  const input: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const { name, kind, isRequired } of fields) {
    const text = (texts[name] ?? '').trim();
    if (text === '') {
      if (isRequired) faults.push(name);
      continue;
    }
    const value = parseText(kind, text);
    if (value === undefined) faults.push(name);
    else input[name] = value;
  }
  return { input, faults };
}

/** Returns undefined for what is not of the kind. */
function parseText(kind: FieldKind, text: string): unknown {
  if (kind === 'yes') return text === 'true';
  if (kind === 'choices' || kind === 'lines') return splitLines(text);
  // A decimal comma is what half of the world types.
  if (kind === 'number')
    return Number.isFinite(Number(text.replace(',', '.'))) ? Number(text.replace(',', '.')) : undefined;
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns what fields show for arguments, such as those of an address; nothing for what is no object of them. */
export function writeFields(fields: readonly ToolField[], input: unknown): FieldTexts {
  if (typeof input !== 'object' || input === null) return {};
  const values = new Map<string, unknown>(Object.entries(input));
  return Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, formatValue(kind, value)]];
    }),
  );
}

function formatValue(kind: FieldKind, value: unknown): string {
  if (kind === 'json') return JSON.stringify(value);
  return Array.isArray(value) ? value.map(String).join('\n') : String(value);
}

/** Returns the arguments that an address holds as JSON; nothing for anything else. */
export function parseInput(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
}
