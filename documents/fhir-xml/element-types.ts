import { readFileSync } from 'node:fs';

/** The definition of an element in its parent. */
export interface ElementType {
  list: boolean;
  /** "string", "HumanName", "Patient.contact"; "Resource" for any resource, "xhtml" for a narrative's div. */
  type: string;
}

/** Written by tools/write-fhir-elements.ts, which documents the format. */
interface Table {
  primitives: string;
  types: Record<string, string>;
}

const table = JSON.parse(readFileSync(new URL('elements.json', import.meta.url), 'utf8')) as Table;
const PRIMITIVES = new Set(table.primitives.split(';'));
const TYPES = new Map(
  Object.entries(table.types).map(([name, text]) => {
    const [base = '', ...elements] = text.split(';');
    return [name, { base, elements: new Map(elements.flatMap((element) => parseElements(name, element))) }];
  }),
);

/** Parses one element; a choice (`value[x]`) gives one for each type. */
function parseElements(parent: string, text: string): [string, ElementType][] {
  const [written = '', types = ''] = text.split(':');
  const list = written.endsWith('*');
  const name = list ? written.slice(0, -1) : written;
  if (!name.endsWith('[x]')) {
    const type = types.startsWith('#') ? types.slice(1) : types || `${parent}.${name}`;
    return [[name, { list, type }]];
  }
  return types
    .split(',')
    .map((type) => [`${name.slice(0, -3)}${type[0]!.toUpperCase()}${type.slice(1)}`, { list, type }]);
}

export const isPrimitive = (type: string): boolean => PRIMITIVES.has(type);

/** Finds an element in a type or in those it extends; returns null where FHIR R4 has none. */
export function findElementType(type: string, name: string): ElementType | null {
  for (let definition = TYPES.get(type); definition; definition = TYPES.get(definition.base)) {
    const found = definition.elements.get(name);
    if (found) return found;
  }
  return null;
}
