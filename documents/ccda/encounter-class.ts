import type { Element } from 'slimdom';
import { ENCOUNTER_CLASSES } from '../fhir/encounter-classes.ts';
import { toCodings } from './concepts.ts';
import type { CodeableConcept, Coding, FhirValue } from './fhir-values.ts';

const ACT_CODE = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';
/** Kinds of visit that vendors write as text without a code. */
const CLASS_BY_TEXT = new Map([
  ['inpatient', 'IMP'],
  ['outpatient', 'AMB'],
  ['ambulatory', 'AMB'],
  ['emergency', 'EMER'],
  ['home health', 'HH'],
]);

/** Returns `Encounter.class`, which R4 requires: from the code, its translations or its text, else "unknown". */
export function toEncounterClass(code: Element | undefined, type: CodeableConcept | undefined): Coding {
  const coded = toCodings(code).find(
    ({ system, code }) => system === ACT_CODE && ENCOUNTER_CLASSES.has(code ?? ''),
  )?.code;
  const typeText = type?.text?.toLowerCase().replace(/ (?:visit|encounter)$/, '');
  const found = coded ?? CLASS_BY_TEXT.get(typeText ?? '');
  return found === undefined
    ? UNKNOWN
    : { system: ACT_CODE, code: found, display: ENCOUNTER_CLASSES.get(found) };
}

const UNKNOWN: Coding = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor',
  code: 'UNK',
  display: 'unknown',
};

export const isKnownClass = (encounterClass: FhirValue | undefined): boolean => encounterClass !== UNKNOWN;
