import type { DataMask } from '../../../../contract/brands.ts';
import { categorizeResource } from '../../../clinical/entries/category.ts';
import { readText, toArray, toElement, toElements } from '../../../clinical/entries/element.ts';
import { isInError } from '../../../clinical/entries/objection.ts';
import { labelBit } from '../../../consent/access/sensitivity-labels.ts';
import { LOOKED_UP_TYPES } from '../../../clinical/store/looked-up-types.ts';
import type { ParsedResource } from '../../../clinical/store/found-resource.ts';
import { formatDatatype, type RenderReference } from './datatype-text.ts';

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
 * Lists every field of a resource, in its order. What belongs to a category that the consent withholds is left out: contained
 * resources, and the names of resources that are referred to.
 */
export function listFields(resource: ParsedResource, context: ResourceContext): Field[] {
  const fields: Field[] = [];
  const contained = new Map(
    toElements(resource['contained'])
      .filter((each) => isShared(readText(each['resourceType']), context, each))
      .map((each) => [readText(each['id']) ?? '', isInError(each) ? null : each]),
  );
  const walk = createWalk(fields, (reference) => renderReference(reference, context, contained));
  for (const [name, value] of Object.entries(resource))
    if (!SKIPPED.has(name)) walk(formatElementName(name), value);
  for (const each of contained.values())
    if (each !== null) walk(`contained ${readText(each['resourceType']) ?? ''}`, withoutHead(each));
  return fields;
}

/** True when the consent covers the category of a resource of this type. */
function isShared(type: string | null, { withheld }: ResourceContext, resource: Element = {}): boolean {
  if (withheld === 0) return true;
  if (type === null) return false;
  const category = categorizeResource({ ...resource, resourceType: type });
  return (withheld & labelBit(category)) === 0;
}

const withoutHead = ({ resourceType: _, ...rest }: Element): Element => rest;

/** "Aria Moss (Practitioner/6d6e1f3a)" */
function renderReference(
  reference: Element,
  context: ResourceContext,
  /** Null of what was entered in error. */
  contained: ReadonlyMap<string, Element | null>,
): string {
  const written = readText(reference['reference']);
  const inside = written?.startsWith('#') === true ? contained.get(written.slice(1)) : undefined;
  if (inside === null) return `entered in error (${written ?? ''})`;
  if (inside !== undefined) return `contained ${readText(inside['resourceType']) ?? ''} ${written ?? ''}`;
  const named = written === null ? null : context.findName(written);
  if (named !== null) return named;
  if (!isNameShared(reference, context)) return '';
  const display = readText(reference['display']) ?? readText(toElement(reference['identifier'])?.['value']);
  return display === null ? (written ?? '') : written === null ? display : `${display} (${written})`;
}

/**
 * True when a reference may be shown by its own words: under a consent that withholds anything only one to a person, place
 * or drug, whose names are part of what refers to them. Whether another target is withheld is not known where it is not found.
 */
function isNameShared(reference: Element, context: ResourceContext): boolean {
  if (context.withheld === 0) return true;
  const [, type] =
    /(?:^|\/)([A-Z][A-Za-z]+)(?:\/|\?)[^/]*$/.exec(readText(reference['reference']) ?? '') ?? [];
  const target = type ?? readText(reference['type']);
  return target !== null && LOOKED_UP_TYPES.has(target) && isShared(target, context);
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
      for (const extension of toElements(element['extension'])) walk(name, extension);
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

const CHOICES =
  /^(value|effective|onset|abatement|performed|occurrence|medication|deceased|multipleBirth|serviced|timing|asNeeded|dose|rate|product|item|allowed|defaultValue|location|due|start|born|age|reported|status|detail|content|target|topic|fastening|scheduled|probability|collected|created|event)(?:Quantity|CodeableConcept|Coding|String|DateTime|Date|Time|Period|Boolean|Integer|Decimal|Range|Ratio|SampledData|Age|Timing|Reference|Instant|Attachment|Code|Duration|Uri|Money|SimpleQuantity|Identifier)$/;

/** "clinicalStatus" → "clinical status", "valueQuantity" → "value", "_birthDate" → "birth date". */
const formatElementName = (name: string): string =>
  name
    .replace(/^_/, '')
    .replace(CHOICES, '$1')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
