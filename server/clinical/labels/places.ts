import type { DataMask } from '../../../contract/brands.ts';
import { NO_LABELS, toLabelMask } from '../../consent/access/sensitivity-labels.ts';
import { readText, toElements } from '../entries/element.ts';
import { isRelative, readReference } from '../entries/reference-text.ts';
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
const IDENTITY = ['meta', 'type', 'category', 'specialty', 'physicalType', 'form'];
const WHOLES = ['managingOrganization', 'providedBy'];

/** Reads what a place is: a hospital is none for psychiatry because it also has a department of that name. */
export function readPlace(resource: ParsedResource, classifyWords: ClassifyWords): Place {
  const classify = (each: ParsedResource): DataMask =>
    toLabelMask(classifyResource(each, undefined, classifyWords).classes);
  const whole = classify(resource);
  return {
    besides: whole === NO_LABELS ? NO_LABELS : ((whole & ~classify(pickIdentity(resource))) as DataMask),
    wholes: listWholes(resource),
  };
}

/** What a place is called counts, and its description where it has no name, which is shown then. */
function pickIdentity(resource: ParsedResource): ParsedResource {
  const names = [...IDENTITY, readText(resource['name']) === null ? 'description' : 'name'];
  return {
    resourceType: resource.resourceType,
    ...Object.fromEntries(names.flatMap((name) => (name in resource ? [[name, resource[name]]] : []))),
  };
}

/** A bed or a bay is of the ward that it is in; a hospital of no group that owns it. */
const listWholes = (resource: ParsedResource): string[] =>
  [...WHOLES, ...(resource.resourceType === 'Location' ? ['partOf'] : [])].flatMap((name) =>
    toElements(resource[name]).flatMap((each) => {
      const reference = readReference(each);
      return reference !== null && isRelative(reference) ? reference : [];
    }),
  );
