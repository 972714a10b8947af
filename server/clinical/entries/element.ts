/**
 * Reading JSON that claims to be FHIR and may be anything: 44 of the 319 validator cases in the sample data
 * have strings where objects belong, nulls in arrays, one element where a list belongs, or nothing at all.
 * None of these functions throws; a missing element is null or [].
 */
export type Element = Readonly<Record<string, unknown>>;

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object itself, or the first object of a list that should have been one. */
export function toElement(value: unknown): Element | null {
  if (isElement(value)) return value;
  return Array.isArray(value) ? (value.find(isElement) ?? null) : null;
}

/** Returns the objects of a list; a single object counts as a list of one. */
export function toElements(value: unknown): Element[] {
  if (isElement(value)) return [value];
  return Array.isArray(value) ? value.filter(isElement) : [];
}

/** Returns a list's members without nulls; anything else is a list of one. */
export function toArray(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value.filter((member) => member !== null && member !== undefined) : [value];
}

/** Returns the value at the end of the path; of lists on the way the first object counts. */
export function getPath(value: unknown, ...path: string[]): unknown {
  let current = value;
  for (const name of path) current = toElement(current)?.[name];
  return current;
}

/**
 * Reads text without white space around it; null when nothing is left. Numbers arrive as the text they were written with.
 * NUL and half surrogate pairs, which JSON can write and no database text can hold, become the replacement character.
 */
export function readText(value: unknown): string | null {
  if (typeof value === 'string') return toStorable(value.trim()) || null;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return Array.isArray(value) ? (readTexts(value)[0] ?? null) : null;
}

/** Asked first: replacing what is not there takes longer than all the rest. */
const toStorable = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed();

export function readTexts(value: unknown): string[] {
  return toArray(value).flatMap((member) => (Array.isArray(member) ? [] : (readText(member) ?? [])));
}

/** FHIR booleans; some producers write them as text. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

/** Joins the parts that exist, each once; null when none does. */
export function joinPresent(parts: (string | null | undefined)[], separator: string): string | null {
  const present = parts.filter((part) => part !== null && part !== undefined && part !== '');
  if (present.length < 2) return present[0] ?? null;
  return [...new Set(present)].join(separator);
}

/** The fields that have a value: what a resource does not say is absent from its entry. */
export function presentFields<K extends string>(
  fields: Readonly<Record<K, string | null | undefined>>,
): Partial<Record<K, string>> {
  const present: Partial<Record<K, string>> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== null && value !== undefined && value !== '') present[name] = value;
  }
  return present;
}

/** Lists every node of a tree of lists, parents first, without recursion: depth is the sender's choice. */
export function flattenTree(roots: unknown, ...childNames: string[]): Element[] {
  const pending = toElements(roots).toReversed();
  const found: Element[] = [];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    found.push(node);
    const parent = node;
    const children = childNames.flatMap((name) => toElements(parent[name]));
    for (const child of children.toReversed()) pending.push(child);
  }
  return found;
}
