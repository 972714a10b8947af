import type { CodeableConcept, Coding } from './resource.ts';

export interface Coded {
  system: string;
  code: string;
  display: string;
}

const inSystem =
  (system: string) =>
  (code: string, display: string): Coded => ({ system, code, display });

export const snomed = inSystem('http://snomed.info/sct');
export const loinc = inSystem('http://loinc.org');
export const rxnorm = inSystem('http://www.nlm.nih.gov/research/umls/rxnorm');
export const cvx = inSystem('http://hl7.org/fhir/sid/cvx');
export const icd10 = inSystem('http://hl7.org/fhir/sid/icd-10-cm');

export const UCUM = 'http://unitsofmeasure.org';

/** A code of one of HL7's own systems, by its last path segment. */
export function terminology(name: string, code: string, display?: string): CodeableConcept {
  const coding: Coding = { system: `http://terminology.hl7.org/CodeSystem/${name}`, code };
  return { coding: [display === undefined ? coding : { ...coding, display }] };
}

/** The first code's display is the text when none is given, as most records have it. */
export function concept(codes: Coded | readonly Coded[], text?: string): CodeableConcept {
  const coding = 'code' in codes ? [codes] : [...codes];
  const shown = text ?? coding[0]?.display;
  return shown === undefined ? { coding } : { coding, text: shown };
}
