import type { CodedClass } from './code-lists.ts';
import { BRANDS_OF_LINES, BRANDS_OF_MEDICINES, NAMES_OF_PEOPLE } from './words/brand-names.ts';
import { GENETIC_TESTING_WORDS } from './words/genetic-testing.ts';
import { HIV_OR_STI_WORDS } from './words/hiv-or-sti.ts';
import { MENTAL_HEALTH_WORDS } from './words/mental-health.ts';
import { listReadings } from './words/plain-letters.ts';
import { REPRODUCTIVE_HEALTH_WORDS } from './words/reproductive-health.ts';
import { SICKLE_CELL_WORDS } from './words/sickle-cell.ts';
import { SUBSTANCE_USE_WORDS } from './words/substance-use.ts';
import { listMedicines } from './words/medicine-lists.ts';
import { compileWordTable, findWords, type WordTable } from './words/word-table.ts';

/**
 * Words by class, English and Spanish. A negative result counts as a positive one does: that somebody was tested discloses as
 * much.
 */
const TABLE = compileWordTable<CodedClass>({
  HIV_OR_STI: HIV_OR_STI_WORDS,
  SUBSTANCE_USE_OR_DRUG_ABUSE: SUBSTANCE_USE_WORDS,
  MENTAL_HEALTH: MENTAL_HEALTH_WORDS,
  GENETIC_TESTING: GENETIC_TESTING_WORDS,
  REPRODUCTIVE_HEALTH_DATA: REPRODUCTIVE_HEALTH_WORDS,
  SICKLE_CELL: SICKLE_CELL_WORDS,
});

const PART_2 = /\b42\s*C\.?\s*F\.?\s*R\.?,?\s*(?:§\s*|part[es]?\s+|pt\.?\s+)2\b(?!\.?\d)/i;

/** Whether a text says that 42 CFR Part 2 applies to it, as the notice that must accompany such records does (§ 2.32). */
export const namesPart2 = (text: string): boolean =>
  text.includes('42') && listReadings(text).some((each) => PART_2.test(each));

const PSYCHOTHERAPY_NOTE =
  /\bpsychotherapy\b.{0,20}\bnotes?\b|\bnotas?\s+de\s+psicoterapia\b|\b(?:SUD|substance|alcohol|drug|addiction)\b.{0,30}\bcounsel+ing\b.{0,30}\bnotes?\b|\bnotas?\s+de\s+consejeria\b.{0,30}\b(?:sustancias|alcohol|drogas)\b/is;

/** Whether a title is that of a psychotherapy note, or of a counseling note of a substance use program. */
export const namesPsychotherapyNote = (title: string): boolean =>
  listReadings(title).some((each) => PSYCHOTHERAPY_NOTE.test(each));

/** Returns the classes that a text mentions, as it is written and as it reads: "ＨＩＶ" with a joiner in it is still HIV. */
export function classifyText(text: string): Set<CodedClass> {
  const found = new Set<CodedClass>();
  for (const each of listReadings(text)) findWords(TABLE, each, found);
  if (!found.has('REPRODUCTIVE_HEALTH_DATA'))
    for (const name of classifyDrugLines(listMedicines(text))) found.add(name);
  return found;
}

const DRUG_NAMES = compileWordTable({
  REPRODUCTIVE_HEALTH_DATA: { words: [BRANDS_OF_MEDICINES], exact: [] },
});
const DRUG_LINES = compileWordTable({
  REPRODUCTIVE_HEALTH_DATA: { words: [BRANDS_OF_LINES], exact: [] },
});

const classifyNames = (table: WordTable<CodedClass>, text: string): CodedClass[] => {
  const found = new Set<CodedClass>();
  for (const each of listReadings(text)) findWords(table, each, found);
  return [...found];
};

/** Returns the classes of brands that are names of people, too, where a text is the name of a medicine. */
export const classifyDrugName = (text: string): CodedClass[] => classifyNames(DRUG_NAMES, text);

/** Returns those of the brands that a text has on lines of their own: what stands among medicines. */
export const classifyDrugLines = (text: string): CodedClass[] => classifyNames(DRUG_LINES, text);

const NAMES = new RegExp(`(?<![A-Za-z])(?:${NAMES_OF_PEOPLE})(?![A-Za-z])`, 'gi');
const ACCENTS = /[\u0300-\u036f]+/g;

/** Returns what somebody is called without the names that are brands as well. */
export const withoutBrands = (name: string): string =>
  name.normalize('NFD').replace(ACCENTS, '').replace(NAMES, '');
