import type { Concept, ConceptRow } from './concept.ts';

type CodeKey = keyof NonNullable<ConceptRow['codes']>;

/** Other editions of ICD-10 share its categories of three characters, and most of four. */
const KEY_BY_SYSTEM = new Map<string, CodeKey>([
  ['http://loinc.org', 'loinc'],
  ['http://snomed.info/sct', 'snomed'],
  ['http://www.nlm.nih.gov/research/umls/rxnorm', 'rxnorm'],
  ['http://hl7.org/fhir/sid/cvx', 'cvx'],
  ['http://hl7.org/fhir/sid/icd-10-cm', 'icd10cm'],
  ['http://hl7.org/fhir/sid/icd-10', 'icd10cm'],
  ['http://fhir.de/CodeSystem/bfarm/icd-10-gm', 'icd10cm'],
  ['http://fhir.de/CodeSystem/dimdi/icd-10-gm', 'icd10cm'],
]);

export interface CodeIndex {
  add(concept: Concept, codes: ConceptRow['codes']): void;
  /** Finds the concepts of a code; of ICD-10 those of its longest prefix that any has. */
  find(system: string, code: string): readonly Concept[];
}

export function createCodeIndex(): CodeIndex {
  const index = new Map<string, Concept[]>();
  const get = (key: CodeKey, code: string): readonly Concept[] => index.get(`${key} ${code}`) ?? [];
  return {
    add(concept, codes) {
      for (const [key, list] of Object.entries(codes ?? {}))
        for (const code of list ?? []) {
          const name = `${key} ${key === 'icd10cm' ? toPlainCode(code) : code}`;
          index.set(name, [...(index.get(name) ?? []), concept]);
        }
    },
    find(system, code) {
      const key = KEY_BY_SYSTEM.get(system);
      if (key === undefined) return [];
      if (key !== 'icd10cm') return get(key, code);
      const plain = toPlainCode(code);
      for (let length = plain.length; length >= 3; length--) {
        const concepts = get(key, plain.slice(0, length));
        if (concepts.length > 0) return concepts;
      }
      return [];
    },
  };
}

const toPlainCode = (code: string): string => code.replaceAll('.', '').toUpperCase();
