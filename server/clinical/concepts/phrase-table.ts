import { packNumbers, packTexts, type Numbers, type PackedTexts } from '../../platform/kernel/packed.ts';
import type { ConceptRow } from './concept.ts';

/** In which of the lists of a concept a phrase stands. */
export type PhraseUse = 'names' | 'said' | 'shorts';

interface Section {
  use: PhraseUse;
  /** Clinical names and brands count as English; abbreviations have no language. */
  language: 'en' | 'es' | 'de' | null;
  list(row: ConceptRow): readonly string[] | undefined;
}

const SECTIONS: readonly Section[] = [
  { use: 'names', language: 'en', list: ({ name, en = [] }) => [name, ...en] },
  { use: 'names', language: 'en', list: ({ brands }) => brands },
  { use: 'names', language: 'es', list: ({ es }) => es },
  { use: 'names', language: 'de', list: ({ de }) => de },
  { use: 'said', language: 'en', list: ({ said }) => said?.en },
  { use: 'said', language: 'es', list: ({ said }) => said?.es },
  { use: 'said', language: 'de', list: ({ said }) => said?.de },
  { use: 'shorts', language: null, list: ({ short }) => short },
];

/** All phrases, by their index; those of a row stand together, its name first. */
export interface PhraseTable {
  readonly size: number;
  getText(index: number): string;
  getRow(index: number): number;
  getUse(index: number): PhraseUse;
  getLanguage(index: number): Section['language'];
  getName(row: number): string;
  /** What records call it, its name first. */
  listNames(row: number): string[];
}

/** As strings in lists of objects, the phrases took six times the memory. */
export function createPhraseTable(rows: readonly ConceptRow[]): PhraseTable {
  const texts: string[] = [];
  const [rowByPhrase, sectionByPhrase, starts]: number[][] = [[], [], []];
  for (const [row, each] of rows.entries()) {
    starts?.push(texts.length);
    for (const [section, { list }] of SECTIONS.entries())
      for (const text of list(each) ?? []) {
        texts.push(text);
        rowByPhrase?.push(row);
        sectionByPhrase?.push(section);
      }
  }
  return openTable(packTexts(texts), {
    rowByPhrase: packNumbers(rowByPhrase ?? []),
    sectionByPhrase: Uint8Array.from(sectionByPhrase ?? []),
    starts: packNumbers(starts ?? []),
  });
}

interface Places {
  rowByPhrase: Numbers;
  sectionByPhrase: Uint8Array;
  /** Where the phrases of each row begin. */
  starts: Numbers;
}

function openTable(texts: PackedTexts, { rowByPhrase, sectionByPhrase, starts }: Places): PhraseTable {
  const getSection = (index: number): Section => SECTIONS[sectionByPhrase[index] as number] as Section;
  return {
    size: texts.size,
    getText: texts.get,
    getRow: (index) => rowByPhrase[index] as number,
    getUse: (index) => getSection(index).use,
    getLanguage: (index) => getSection(index).language,
    getName: (row) => texts.get(starts[row] as number),
    listNames(row) {
      const names: string[] = [];
      for (let index = starts[row] as number; index < (starts[row + 1] ?? texts.size); index++)
        if (getSection(index).use !== 'said') names.push(texts.get(index));
      return names;
    },
  };
}
