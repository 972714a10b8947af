import fs from 'node:fs';
import path from 'node:path';

/**
 * Writes the table by which FHIR XML is turned into JSON, from HL7's definitions of FHIR R4 (4.0.1): the first argument
 * is the folder into which https://hl7.org/fhir/R4/definitions.json.zip was unpacked.
 *
 * For each type, and each element with elements of its own ("Patient.contact"), the type it extends and its elements:
 * "DomainResource;identifier*:Identifier;deceased[x]:boolean,dateTime;contact*:". A star is a list, no type after the
 * colon one that the table has under the element's path, and "#" the path of another element with the same content.
 */
const OUTPUT = path.resolve(import.meta.dirname, '../documents/fhir-xml/elements.json');
const FILES = ['profiles-types.json', 'profiles-resources.json'];

interface ElementDefinition {
  path: string;
  max: string;
  base: { path: string; max: string };
  representation?: string[];
  contentReference?: string;
  type?: { code: string; extension?: { url: string; valueUrl?: string }[] }[];
}

interface StructureDefinition {
  resourceType: string;
  name: string;
  kind: 'primitive-type' | 'complex-type' | 'resource' | 'logical';
  derivation?: string;
  fhirVersion: string;
  baseDefinition?: string;
  snapshot: { element: ElementDefinition[] };
}

function readDefinitions(folder: string): StructureDefinition[] {
  return FILES.flatMap((file) => {
    const text = fs.readFileSync(path.join(folder, file), 'utf8');
    const { entry } = JSON.parse(text) as { entry: { resource: StructureDefinition }[] };
    return entry.map(({ resource }) => resource);
  }).filter(
    ({ resourceType, kind, derivation, fhirVersion }) =>
      resourceType === 'StructureDefinition' &&
      kind !== 'logical' &&
      derivation !== 'constraint' &&
      fhirVersion === '4.0.1',
  );
}

/** The types of a definition: its own, and one for each of its elements that has elements. */
function buildTypes({ name, baseDefinition = '', snapshot }: StructureDefinition): [string, string][] {
  const ownElements = snapshot.element.filter((element) => element.base.path === element.path);
  const parents = new Set(ownElements.map((element) => getParent(element.path)));
  return [name, ...parents].filter(isFirstOccurrence).flatMap((parent): [string, string][] => {
    if (parent === '') return [];
    const element = ownElements.find(({ path }) => path === parent);
    const base = parent === name ? (baseDefinition.split('/').at(-1) ?? '') : element!.type![0]!.code;
    const children = ownElements.filter((child) => getParent(child.path) === parent && !isAttribute(child));
    return [[parent, [base, ...children.map((child) => formatElement(child, parents))].join(';')]];
  });
}

const isFirstOccurrence = (value: string, index: number, all: string[]): boolean =>
  all.indexOf(value) === index;
const getParent = (elementPath: string): string =>
  elementPath.slice(0, Math.max(0, elementPath.lastIndexOf('.')));
const isAttribute = ({ representation }: ElementDefinition): boolean =>
  representation?.includes('xmlAttr') ?? false;

function formatElement(element: ElementDefinition, parents: ReadonlySet<string>): string {
  const name = element.path.slice(element.path.lastIndexOf('.') + 1);
  return `${name}${element.base.max === '1' ? '' : '*'}:${formatType(element, parents)}`;
}

function formatType(element: ElementDefinition, parents: ReadonlySet<string>): string {
  if (element.contentReference) return element.contentReference;
  if (parents.has(element.path)) return '';
  const codes = (element.type ?? []).map(({ code, extension }) =>
    // Resource.id is a primitive of FHIR; its definition names the type of FHIRPath and the other one beside it.
    code.startsWith('http') ? (extension?.find(({ valueUrl }) => valueUrl)?.valueUrl ?? 'string') : code,
  );
  return [...new Set(codes)].join(',');
}

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('Which folder holds profiles-types.json and profiles-resources.json?');
const all = readDefinitions(folder);
const primitives = all.filter(({ kind }) => kind === 'primitive-type').map(({ name }) => name);
const complex = all.filter(({ kind }) => kind !== 'primitive-type').flatMap(buildTypes);
const table = { primitives: primitives.join(';'), types: Object.fromEntries(complex) };
fs.writeFileSync(OUTPUT, `${JSON.stringify(table, null, 1)}\n`);
console.log(`${complex.length} types, ${fs.statSync(OUTPUT).size} bytes`);
