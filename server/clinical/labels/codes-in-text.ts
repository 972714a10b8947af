import { classifyCode, type CodedClass } from './code-lists.ts';

/** LOINC, ICD-10 with and without its point, SNOMED CT: by themselves, not within a number, a date or a name. */
const CODE = /(?<![\w.-])(?:[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?|\d{1,6}-\d|\d{6,18})(?![\w-]|\.\w)/g;

/** In words these are something else: "T40", "2-3". In a table or a message a cell holds nothing else. */
const SHORT = /^(?:...|\d{1,3}-\d)$/;
/** Codes of race and ethnicity (CDC) have the form of LOINC, and stand in the words of many a Patient: "2106-3: White". */
const RACE = /^(?:1\d|2[01])\d\d-\d$/;
const CELL_END = /[,;|^~"\t\r\n]/;

/** Returns the classes of the codes that a text states, in a sentence, in a table or in a message of HL7 v2. */
export function classifyCodesIn(text: string): CodedClass[] {
  if (!/\d/.test(text)) return [];
  const codes = new Set<string>();
  for (const { 0: code, index } of text.matchAll(CODE)) {
    if (RACE.test(code)) continue;
    if (!SHORT.test(code) || (endsCell(text[index - 1]) && endsCell(text[index + code.length])))
      codes.add(code);
  }
  return [...codes].flatMap((code) => classifyCode(null, code));
}

const endsCell = (letter: string | undefined): boolean => letter === undefined || CELL_END.test(letter);
