import type { Element } from 'slimdom';
import { getAttribute } from './elements.ts';

const GENDERS = new Map([
  ['M', 'male'],
  ['F', 'female'],
  ['UN', 'other'],
  ['MALE', 'male'],
  ['FEMALE', 'female'],
]);

/** Converts CDA's administrative gender to FHIR's; returns undefined where the element is absent. */
export function toGender(code: Element | undefined): string | undefined {
  if (code === undefined) return undefined;
  return GENDERS.get(getAttribute(code, 'code')?.toUpperCase() ?? '') ?? 'unknown';
}
