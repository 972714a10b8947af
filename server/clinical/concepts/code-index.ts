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
  // Records of before 2015 are full of it.
  ['http://hl7.org/fhir/sid/icd-9-cm', 'icd9cm'],
  ['http://fhir.de/CodeSystem/bfarm/icd-10-gm', 'icd10cm'],
  ['http://fhir.de/CodeSystem/dimdi/icd-10-gm', 'icd10cm'],
]);

export interface CodeIndex {
  add(concept: Concept, codes: ConceptRow['codes']): void;
  /** Finds the concepts of a code; of ICD those of its longest prefix that any has. */
  find(system: string, code: string): readonly Concept[];
}

/** Creates an index that is filled when a code is looked up: questions have none. */
export function createCodeIndex(): CodeIndex {
  const index = new Map<CodeKey, Map<string, Concept[]>>();
  let waiting: { concept: Concept; codes: ConceptRow['codes'] }[] = [];
  const get = (key: CodeKey, code: string): readonly Concept[] => index.get(key)?.get(code) ?? [];
  return {
    add: (concept, codes) => void waiting.push({ concept, codes }),
    find(system, code) {
      const key = KEY_BY_SYSTEM.get(system);
      if (key === undefined) return [];
      for (const { concept, codes } of waiting) addCodes(index, concept, codes);
      waiting = [];
      if (!isHierarchical(key)) return get(key, code);
      const plain = toPlainCode(code);
      for (let length = plain.length; length >= 3; length--) {
        const concepts = get(key, plain.slice(0, length));
        if (concepts.length > 0) return concepts;
      }
      return [];
    },
  };
}

function addCodes(
  index: Map<CodeKey, Map<string, Concept[]>>,
  concept: Concept,
  codes: ConceptRow['codes'] = {},
): void {
  for (const [key, list] of Object.entries(codes) as [CodeKey, string[] | undefined][]) {
    const byCode = index.get(key) ?? new Map<string, Concept[]>();
    index.set(key, byCode);
    for (const written of list ?? []) {
      const code = isHierarchical(key) ? toPlainCode(written) : written;
      const concepts = byCode.get(code);
      if (concepts === undefined) byCode.set(code, [concept]);
      else concepts.push(concept);
    }
  }
}

const isHierarchical = (key: CodeKey): boolean => key === 'icd10cm' || key === 'icd9cm';

const toPlainCode = (code: string): string => code.replaceAll('.', '').toUpperCase();
