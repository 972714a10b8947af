import type { DataMask } from '../../../contract/brands.ts';
import { excludeMask, NO_LABELS, toLabelMask } from '../../consent/access/sensitivity-labels.ts';
import { readText, toElements, type Element } from '../entries/element.ts';
import { findContained, isRelative, readReference } from '../entries/reference-text.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { classifyResource } from './classify-resource.ts';
import type { ClassifyWords } from './word-classifier.ts';

/** Where something is done, and who runs it. */
export const PLACE_TYPES: ReadonlySet<string> = new Set(['HealthcareService', 'Location', 'Organization']);

/** What makes the visits of a place as sensitive as they are. */
export interface Place {
  /** The classes that only other elements of it have than those that say what it is. */
  besides: DataMask;
  /** `Type/id` of what it is a part of, and of who runs it. */
  wholes: readonly string[];
}

/** The elements that say what a place is; others name departments of a hospital, or who answers there. */
const IDENTITY = [
  'meta',
  'type',
  'category',
  'specialty',
  'physicalType',
  'form',
  'program',
  'serviceProvisionCode',
  'characteristic',
];
/** What says it of a place that has no name. */
const INSTEAD_OF_NAME = ['description', 'alias', 'comment', 'extraDetails'];
const WHOLES = ['managingOrganization', 'providedBy'];

/** Reads what a place is: a hospital is none for psychiatry because it also has a department of that name. */
export function readPlace(resource: ParsedResource, classifyWords: ClassifyWords): Place {
  const classify = (each: ParsedResource): DataMask =>
    toLabelMask(classifyResource(each, undefined, classifyWords).classes);
  const whole = classify(resource);
  return {
    besides: whole === NO_LABELS ? NO_LABELS : excludeMask(whole, classify(pickIdentity(resource))),
    wholes: listWholes(resource).flatMap((each) => {
      const reference = readReference(each);
      return reference !== null && isRelative(reference) ? reference : [];
    }),
  };
}

/**
 * What a place is called counts, and what else describes it where it has no name; what it says itself of its wholes counts as these
 * would: their names, their identifiers, and those that it contains.
 */
function pickIdentity(resource: ParsedResource): ParsedResource {
  const hasName = readText(resource['name']) !== null;
  const names = [...IDENTITY, ...(hasName ? ['name'] : INSTEAD_OF_NAME), ...getWholeElements(resource)];
  const contained = listWholes(resource).flatMap((each) => {
    const whole = findContained(each, resource);
    return whole === null ? [] : pickOwnIdentity(whole);
  });
  return {
    resourceType: resource.resourceType,
    ...pick(resource, names),
    ...(contained.length > 0 && { contained }),
  };
}

/** What a contained whole says of itself alone: it is the last step up. */
const pickOwnIdentity = (whole: Element): Element => ({
  resourceType: whole['resourceType'],
  ...pick(whole, [...IDENTITY, ...(readText(whole['name']) === null ? INSTEAD_OF_NAME : ['name'])]),
});

const pick = (from: Element, names: readonly string[]): Element =>
  Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])));

/** A bed or a bay is of the ward that it is in; a hospital of no group that owns it. */
const getWholeElements = ({ resourceType }: ParsedResource): string[] =>
  resourceType === 'Location' ? [...WHOLES, 'partOf'] : WHOLES;

const listWholes = (resource: ParsedResource): Element[] =>
  getWholeElements(resource).flatMap((name) => toElements(resource[name]));
