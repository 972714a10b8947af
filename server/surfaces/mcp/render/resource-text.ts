import type { DataMask } from '../../../../contract/brands.ts';
import { readText, toArray, toElement, toElements } from '../../../clinical/entries/element.ts';
import { isInError } from '../../../clinical/entries/objection.ts';
import type { ParsedResource } from '../../../clinical/store/found-resource.ts';
import { formatDatatype, type RenderReference } from './datatype-text.ts';
import { createOwnWords, type RenderOwnWords } from './reference-words.ts';

type Element = Readonly<Record<string, unknown>>;

interface ResourceContext {
  /** The mask of labels that the consent withholds. */
  withheld: DataMask;
  /** Renders a reference to a resource of the record by its name, where the consent covers it; else null. */
  findName(reference: string): string | null;
}

/** No fields: `renderNarrative` shows the narrative, and the head of the details names type and id. */
const SKIPPED = new Set(['resourceType', 'id', 'text', 'contained', 'implicitRules', 'language']);

/** The name of a field in words, and its value with all codes, both as the record has them. */
export interface Field {
  name: string;
  value: string;
}

/**
 * Lists every field of a resource, in its order. What a consent withholds is left out of the resource already, as it is for FHIR
 * (`redactBody`, `withoutContact`).
 */
export function listFields(resource: ParsedResource, context: ResourceContext): Field[] {
  const fields: Field[] = [];
  const contained = new Map(
    toElements(resource['contained']).map((each) => [
      readText(each['id']) ?? '',
      isInError(each) ? null : each,
    ]),
  );
  const names = { ...context, contained, renderOwnWords: createOwnWords(resource, context.withheld) };
  const walk = createWalk(fields, (reference) => renderReference(reference, names));
  for (const [name, value] of Object.entries(resource))
    if (!SKIPPED.has(name)) walk(formatElementName(name), value);
  for (const each of contained.values())
    if (each !== null) walk(`contained ${readText(each['resourceType']) ?? ''}`, withoutHead(each));
  return fields;
}

const withoutHead = ({ resourceType: _, ...rest }: Element): Element => rest;

interface KnownNames extends Pick<ResourceContext, 'findName'> {
  /** Null of what was entered in error. */
  contained: ReadonlyMap<string, Element | null>;
  renderOwnWords: RenderOwnWords;
}

/** "Aria Moss (Practitioner/6d6e1f3a)" */
function renderReference(reference: Element, { findName, contained, renderOwnWords }: KnownNames): string {
  const written = readText(reference['reference']);
  const inside = written?.startsWith('#') === true ? contained.get(written.slice(1)) : undefined;
  if (inside === null) return `entered in error (${written ?? ''})`;
  if (inside !== undefined) return `contained ${readText(inside['resourceType']) ?? ''} ${written ?? ''}`;
  const named = written === null ? null : findName(written);
  if (named !== null) return named;
  return renderOwnWords(reference);
}

/** Returns a function that adds the fields of an element under a name. */
function createWalk(
  fields: Field[],
  renderReference: RenderReference,
): (name: string, value: unknown) => void {
  const addField = (name: string, value: string): void => {
    if (value !== '') fields.push({ name, value });
  };
  const walk = (name: string, value: unknown): void => {
    if (Array.isArray(value)) return walkList(name, toArray(value));
    const primitive = typeof value === 'boolean' ? String(value) : readText(value);
    if (primitive !== null) return addField(name, primitive);
    const element = toElement(value);
    if (element === null) return;
    if (
      typeof element['url'] === 'string' &&
      Object.keys(element).some((key) => key.startsWith('value') || key === 'extension')
    )
      return walkExtension(name, element);
    const text = formatDatatype(element, renderReference);
    if (text !== null) {
      addField(name, text);
      for (const extension of listExtensions(element)) walk(name, extension);
      return;
    }
    for (const [child, inner] of Object.entries(element))
      if (child !== 'id') walk(child === 'extension' ? name : `${name}: ${formatElementName(child)}`, inner);
  };
  const walkList = (name: string, all: readonly unknown[]): void => {
    const texts = all.map((each) => (typeof each === 'boolean' ? String(each) : readText(each)));
    if (texts.every((text) => text !== null)) return addField(name, texts.join('; '));
    const isNumbered = all.length > 1 && !/(?:extension|identifier|coding|name)$/i.test(name);
    for (const [index, each] of all.entries()) walk(isNumbered ? `${name} ${index + 1}` : name, each);
  };
  const walkExtension = (name: string, { url, id: _, ...rest }: Element): void => {
    const own = String(url).replace(/^.*[/#]/, '');
    const path = name === 'extension' ? own : `${name}: ${own}`;
    for (const [child, inner] of Object.entries(rest)) {
      if (child === 'extension') for (const each of toElements(inner)) walk(path, each);
      else walk(path, inner);
    }
  };
  return walk;
}

/** Lists the extensions of a data type and of what is in it: those of a coding are its names in other languages. */
const listExtensions = (element: Element): Element[] =>
  Object.entries(element).flatMap(([name, value]) =>
    name === 'extension' ? toElements(value) : toElements(value).flatMap(listExtensions),
  );

const CHOICES =
  /^(value|effective|onset|abatement|performed|occurrence|medication|deceased|multipleBirth|serviced|timing|asNeeded|dose|rate|product|item|allowed|defaultValue|location|due|start|born|age|reported|status|detail|content|target|topic|fastening|scheduled|probability|collected|created|event)(?:Quantity|CodeableConcept|Coding|String|DateTime|Date|Time|Period|Boolean|Integer|Decimal|Range|Ratio|SampledData|Age|Timing|Reference|Instant|Attachment|Code|Duration|Uri|Money|SimpleQuantity|Identifier)$/;

/** "clinicalStatus" → "clinical status", "valueQuantity" → "value", "_birthDate" → "birth date". */
const formatElementName = (name: string): string =>
  name
    .replace(/^_/, '')
    .replace(CHOICES, '$1')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
