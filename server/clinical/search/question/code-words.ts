import type { AskedWord } from '../question.ts';

/** SNOMED CT and RxNorm, LOINC, ICD-10: "44054006", "4548-4", "E11.9". */
const CODE = /^(?:\d{4,18}|\d{1,5}-\d|[a-z]\d[0-9a-z](?:\.?[0-9a-z]{1,4})?)$/;
/** The number of a vaccine is a code only where its system is named. */
const SHORT_CODE = /^\d{2,3}$/;
const SYSTEMS = new Set(
  'code codes loinc snomed snomedct ct sct icd icd-10 icd10 icd-10-cm rxnorm rxcui cvx código codigo'.split(
    ' ',
  ),
);

/** Leaves out the names of code systems beside a code, "LOINC 4548-4", and marks codes as such. */
export function markCodes(words: readonly AskedWord[]): AskedWord[] {
  const hasSystem = words.some(({ text }) => SYSTEMS.has(text));
  const isMarked = ({ text }: AskedWord): boolean => CODE.test(text) || (hasSystem && SHORT_CODE.test(text));
  return words.some(isMarked)
    ? words
        .filter(({ text }) => !SYSTEMS.has(text))
        .map((word) => (isMarked(word) ? { ...word, isCode: true } : word))
    : [...words];
}
