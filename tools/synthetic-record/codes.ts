import type { CodeableConcept, Coding } from './resource.ts';

export interface NamedCoding {
  system: string;
  code: string;
  display: string;
}

const forSystem =
  (system: string) =>
  (code: string, display: string): NamedCoding => ({ system, code, display });

export const snomed = forSystem('http://snomed.info/sct');
export const loinc = forSystem('http://loinc.org');
export const rxnorm = forSystem('http://www.nlm.nih.gov/research/umls/rxnorm');
export const cvx = forSystem('http://hl7.org/fhir/sid/cvx');
export const icd10 = forSystem('http://hl7.org/fhir/sid/icd-10-cm');

export const UCUM = 'http://unitsofmeasure.org';

/** A code of one of HL7's own systems, by its last path segment. */
export function createHl7Concept(name: string, code: string, display?: string): CodeableConcept {
  const coding: Coding = { system: `http://terminology.hl7.org/CodeSystem/${name}`, code };
  return { coding: [display === undefined ? coding : { ...coding, display }] };
}

/** The first code's display is the text when none is given, as most records have it. */
export function createConcept(codes: NamedCoding | readonly NamedCoding[], text?: string): CodeableConcept {
  const coding = 'code' in codes ? [codes] : [...codes];
  const conceptText = text ?? coding[0]?.display;
  return conceptText === undefined ? { coding } : { coding, text: conceptText };
}
