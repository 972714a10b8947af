import {
  packLists,
  packWords,
  type Numbers,
  type PackedLists,
  type PackedWords,
} from '../../platform/kernel/packed.ts';
import type { ConceptRow } from './concept.ts';

export type Codes = NonNullable<ConceptRow['codes']>;
type CodeKey = keyof Codes;

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
  /** Finds the rows of a code; of ICD those of its longest prefix that any has. */
  find(system: string, code: string): Numbers;
}

const NONE: Numbers = new Uint16Array();

/** Creates an index that is filled when a code is looked up: questions have none. */
export function createCodeIndex(listCodes: () => readonly Codes[]): CodeIndex {
  let packed: { keys: PackedWords; rows: PackedLists } | null = null;
  const get = (key: CodeKey, code: string): Numbers => {
    packed ??= packCodes(listCodes());
    const index = packed.keys.indexOf(`${key} ${code}`);
    return index < 0 ? NONE : packed.rows.get(index);
  };
  return {
    find(system, code) {
      const key = KEY_BY_SYSTEM.get(system);
      if (key === undefined) return NONE;
      if (!isHierarchical(key)) return get(key, code);
      const plain = toPlainCode(code);
      for (let length = plain.length; length >= 3; length--) {
        const rows = get(key, plain.slice(0, length));
        if (rows.length > 0) return rows;
      }
      return NONE;
    },
  };
}

function packCodes(all: readonly Codes[]): { keys: PackedWords; rows: PackedLists } {
  const rowsByCode = new Map<string, number[]>();
  for (const [row, codes] of all.entries())
    for (const [key, list] of Object.entries(codes) as [CodeKey, string[] | undefined][])
      for (const written of list ?? []) {
        const code = `${key} ${isHierarchical(key) ? toPlainCode(written) : written}`;
        const rows = rowsByCode.get(code);
        if (rows === undefined) rowsByCode.set(code, [row]);
        else rows.push(row);
      }
  return { keys: packWords([...rowsByCode.keys()]), rows: packLists([...rowsByCode.values()]) };
}

const isHierarchical = (key: CodeKey): boolean => key === 'icd10cm' || key === 'icd9cm';

const toPlainCode = (code: string): string => code.replaceAll('.', '').toUpperCase();
