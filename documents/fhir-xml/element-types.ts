import { readFileSync } from 'node:fs';

/** An element as its parent's definition has it. */
export interface ElementType {
  list: boolean;
  /** "string", "HumanName", "Patient.contact"; "Resource" for any resource, "xhtml" for a narrative's div. */
  type: string;
}

/** Written by tools/write-fhir-elements.ts, which says how it is to be read. */
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

/** One element; of a choice (`value[x]`) one for each type it may have. */
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

/** The element of that name in a type or in those it extends; null where FHIR R4 has none. */
export function findElementType(type: string, name: string): ElementType | null {
  for (let definition = TYPES.get(type); definition; definition = TYPES.get(definition.base)) {
    const found = definition.elements.get(name);
    if (found) return found;
  }
  return null;
}
