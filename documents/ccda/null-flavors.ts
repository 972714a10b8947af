import type { Element } from 'slimdom';
import { getNullFlavor } from './elements.ts';
import type { CodeableConcept, Extension } from './fhir-values.ts';

/** HL7's concept map of v3 NullFlavor to FHIR's data absent reasons. */
const REASONS = new Map([
  ['NI', 'unknown'],
  ['UNK', 'unknown'],
  ['ASKU', 'asked-unknown'],
  ['NASK', 'not-asked'],
  ['NAV', 'temp-unknown'],
  ['NAVU', 'unknown'],
  ['NA', 'not-applicable'],
  ['MSK', 'masked'],
  ['OTH', 'unsupported'],
  ['UNC', 'unsupported'],
  ['INV', 'error'],
  ['DER', 'unsupported'],
  ['QS', 'unsupported'],
  ['TRC', 'unsupported'],
  ['NINF', 'negative-infinity'],
  ['PINF', 'positive-infinity'],
]);

/** Returns FHIR's code for why the element has no value; `unknown` by default. */
export const toAbsentReason = (element: Element | undefined): string =>
  REASONS.get(getNullFlavor(element) ?? 'UNK') ?? 'unknown';

/** Builds `dataAbsentReason`, or the value of a required code that the document lacks. */
export const buildAbsentConcept = (element: Element | undefined): CodeableConcept =>
  buildReason(toAbsentReason(element));

export const buildReason = (code: string): CodeableConcept => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason', code }],
});

/** Builds the extension of an absent primitive: `_onsetDateTime: { extension: [buildAbsentExtension(low)] }`. */
export const buildAbsentExtension = (element: Element | undefined): Extension => ({
  url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
  valueCode: toAbsentReason(element),
});
