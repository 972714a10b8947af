/** Which laboratory results are asked for: codes of LOINC, and parts of names as `toSearchable` writes them. */
export interface TestFilter {
  codes: readonly string[];
  names: readonly string[];
}

/** Marks of ASCII, the same in PostgreSQL's regular expressions and in ours. */
export const MARKS = '[ -/:-@[-`{-~]+';

/** A name for comparison: lower case, with one blank for marks and around it, so that " alt " is a whole word. */
export const toSearchable = (name: string): string =>
  ` ${name.toLowerCase().replaceAll(new RegExp(MARKS, 'g'), ' ').trim()} `;

/** What people call a test, and what records call it: the commonest only, a name finds all others. */
const CONCEPTS: readonly (readonly [names: string, codes: string])[] = [
  ['a1c|hba1c|hemoglobin a1c|glycated hemoglobin|hämoglobin a1c', '4548-4 17856-6 4549-2 59261-8 62388-4'],
  ['glucose|blood sugar|glukose|blutzucker|glucosa', '2345-7 2339-0 1558-6 14749-6 15074-8 41653-7 2340-8'],
  ['creatinine|kreatinin|creatinina', '2160-0 38483-4 14682-9'],
  ['egfr|gfr|glomerular filtration', '33914-3 48642-3 48643-1 62238-1 69405-9 98979-8 77147-7'],
  ['urea|bun|urea nitrogen|harnstoff', '3094-0 6299-2 22664-7'],
  ['sodium|natrium|sodio', '2951-2 2947-0'],
  ['potassium|kalium|potasio', '2823-3 6298-4'],
  ['calcium|kalzium|calcio', '17861-6 49765-1 1994-3'],
  ['cholesterol|cholesterin|colesterol', '2093-3 2085-9 13457-7 18262-6 2089-1 14647-2'],
  ['ldl', '13457-7 18262-6 2089-1'],
  ['hdl', '2085-9'],
  ['triglyceride|triglyzeride|triglicéridos', '2571-8'],
  ['hemoglobin|haemoglobin|hämoglobin|hemoglobina', '718-7 30313-1 20509-6'],
  ['hematocrit|hämatokrit|hematocrito', '4544-3 20570-8'],
  ['white blood cell|wbc|leukocyte|leukozyten|leucocitos', '6690-2 26464-8 804-5'],
  ['platelet|thrombozyten|plaquetas', '777-3 26515-7'],
  ['tsh|thyrotropin', '3016-3 11580-8'],
  ['alt|alanine aminotransferase|sgpt', '1742-6 1743-4 1744-2'],
  ['ast|aspartate aminotransferase|sgot', '1920-8'],
  ['bilirubin', '1975-2 1968-7 42719-5'],
  ['albumin', '1751-7 14959-1 9318-7'],
  ['inr', '6301-6 34714-6'],
  ['crp|c reactive protein|c-reaktives protein', '1988-5 30522-7'],
  ['ferritin', '2276-4 20567-4'],
  ['vitamin d', '1989-3 62292-8 35365-6'],
  ['psa|prostate specific', '2857-1 35741-8'],
  ['troponin', '10839-9 6598-7 67151-1 89579-7 49563-0'],
  ['lactate|laktat', '2524-7 32693-4 2518-9'],
];
const CONCEPT_BY_NAME: ReadonlyMap<string, { names: readonly string[]; codes: readonly string[] }> = new Map(
  CONCEPTS.flatMap(([written, codes]) => {
    const names = written.split('|');
    return names.map((name) => [toSearchable(name), { names, codes: codes.split(' ') }] as const);
  }),
);
/** A shorter name is meant as a word: "alt" stands in "cobalt". */
const MIN_PART_LENGTH = 5;

const LOINC_CODE = /^(?:loinc[ :|]*|http:\/\/loinc\.org\|)?(\d{1,6}-\d)$/i;

/** An abbreviation of fewer letters stands for too much: "K" is potassium, and in "Vitamin K". */
const MIN_NAME_LENGTH = 3;

/** The names by which the vocabulary knows the test that a text names; none where it names none. */
export type FindTestNames = (test: string) => readonly string[];

/**
 * Resolves what a caller names: a LOINC code as itself; a name by its letters, by the other names that the vocabulary of the
 * search has for the test, and a well-known one by its codes too. Names that nobody asked by are whole words: "creat" stands
 * in "creatine kinase".
 */
export function resolveTests(tests: readonly string[], findNames: FindTestNames): TestFilter {
  const codes = new Set<string>();
  const names = new Set<string>();
  for (const test of tests) {
    const [, code] = LOINC_CODE.exec(test.trim()) ?? [];
    if (code !== undefined) {
      codes.add(code);
      continue;
    }
    const others = findNames(test).filter(({ length }) => length >= MIN_NAME_LENGTH);
    names.add(toNamePart(test));
    for (const other of others) names.add(toSearchable(other));
    for (const concept of [test, ...others].flatMap(
      (name) => CONCEPT_BY_NAME.get(toSearchable(name)) ?? [],
    )) {
      for (const each of concept.codes) codes.add(each);
      for (const each of concept.names) names.add(toNamePart(each));
    }
  }
  return { codes: [...codes], names: leaveOutLonger([...names].filter((name) => name.trim() !== '')) };
}

/** Whatever holds "glucose level" holds "glucose". */
const leaveOutLonger = (names: readonly string[]): string[] =>
  names.filter((name) => !names.some((other) => other !== name && name.includes(other)));

function toNamePart(name: string): string {
  const searchable = toSearchable(name);
  return searchable.trim().length < MIN_PART_LENGTH ? searchable : searchable.trim();
}
