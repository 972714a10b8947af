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

/** FHIR's code for why the element has no value: `unknown` where it does not say. */
export const toAbsentReason = (element: Element | undefined): string =>
  REASONS.get(getNullFlavor(element) ?? 'UNK') ?? 'unknown';

/** For `dataAbsentReason`, and for a code an element demands where the document has none. */
export const buildAbsentConcept = (element: Element | undefined): CodeableConcept => ({
  coding: [
    {
      system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason',
      code: toAbsentReason(element),
    },
  ],
});

/** For `_onsetDateTime: { extension: [absentExtension(low)] }`. */
export const buildAbsentExtension = (element: Element | undefined): Extension => ({
  url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
  valueCode: toAbsentReason(element),
});
