import type { DataMask } from '../../../contract/brands.ts';
import { excludeMask, NO_LABELS, toLabelMask } from '../../consent/access/sensitivity-labels.ts';
import { readText, toElements, type Element } from '../entries/element.ts';
import { findContained } from '../entries/reference-text.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { classifyResource } from './classify-resource.ts';
import type { ClassifyWords } from './word-classifier.ts';

/** Where something is done, who runs it, and the teams that care for somebody. */
const PLACE_TYPES: ReadonlySet<string> = new Set([
  'CareTeam',
  'HealthcareService',
  'Location',
  'Organization',
]);

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
  'reasonCode',
];
/** What says it of a place that has no name. */
const INSTEAD_OF_NAME = ['description', 'alias', 'comment', 'extraDetails'];
/** What a place is part of, and who runs it. */
const WHOLES = ['managingOrganization', 'providedBy', 'partOf'];

/**
 * Returns the classes that only other elements of a place have than those that say what it is: what is done there is as sensitive as
 * the place, and a hospital is none for psychiatry because it also has a department of that name.
 */
export function findClassesBesides(resource: ParsedResource, classifyWords: ClassifyWords): DataMask {
  if (!PLACE_TYPES.has(resource.resourceType)) return NO_LABELS;
  const classify = (each: ParsedResource): DataMask =>
    toLabelMask(classifyResource(each, undefined, classifyWords).classes);
  const whole = classify(resource);
  return whole === NO_LABELS ? NO_LABELS : excludeMask(whole, classify(pickIdentity(resource)));
}

/**
 * What a place is called counts, and what else describes it where it has no name; what it says itself of its wholes counts as these
 * would: their names, their identifiers, and those that it contains.
 */
function pickIdentity(resource: ParsedResource): ParsedResource {
  const contained = WHOLES.flatMap((name) => toElements(resource[name])).flatMap((each) => {
    const whole = findContained(each, resource);
    return whole === null ? [] : pickOwnIdentity(whole);
  });
  return {
    resourceType: resource.resourceType,
    ...pickOwnIdentity(resource),
    ...(contained.length > 0 && { contained }),
  };
}

const pickOwnIdentity = (place: Element): Element => {
  const names = [...IDENTITY, ...(readText(place['name']) === null ? INSTEAD_OF_NAME : ['name']), ...WHOLES];
  return Object.fromEntries([
    ['resourceType', place['resourceType']],
    ...names.flatMap((name) => (name in place ? [[name, place[name]] as const] : [])),
  ]);
};
