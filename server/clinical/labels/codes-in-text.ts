import { classifyCode, isKnownSystem, type CodedClass } from './code-lists.ts';
import { createRaceTest } from './race-codes.ts';
import { findSystemBeside } from './systems-beside.ts';

/**
 * ICD-10 with its point, which is nothing else whatever stands around it; LOINC, ICD-10 without a point, SNOMED CT: by themselves,
 * not within a number, a date or a name.
 */
const CODE =
  /(?<![A-Z\d]|\S-)[A-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}(?![A-Z\d]|\.\w|-\d)|(?<![\w.]|\S-)(?:[A-Z]\d[0-9A-Z]{1,5}|\d{1,6}-\d|\d{6,18})(?![\w-]|\.\w)/gi;

const NUMBER = /(?<![\w.]|\S-)(?:\d{1,6}-\d|\d{6,18})(?![\w-]|\.\w)/;

/** Whether a text without letters may state a code: LOINC or SNOMED CT, as the `linkId` of a form does ("/44250-9"). */
export const statesNumber = (text: string): boolean => NUMBER.test(text);

/** Such a code is nothing else: F32.9, 75622-1, 86406008. */
const UNMISTAKABLE = /^(?:[A-Z]..\.|\d{4,6}-|\d{6})/;
const CELL_END = /[,;|^~"\t\r\n]/;
/** Blanks in a cell, or on a line of its own, and the full stop of a text that is nothing else. */
const CELL_START = /(?:^|[|\t\r\n]) *$/;
const CELL_REST = /^ *(?:\. *)?(?:$|[|\t\r\n])/;

interface StatedCode {
  code: string;
  start: number;
  end: number;
}

/**
 * Returns the classes of the codes that a text states, in a sentence, in a table or in a message of HL7 v2. One with a system beside
 * it, that is known, is a code of that system alone.
 */
export function classifyCodesIn(text: string): CodedClass[] {
  if (!/\d/.test(text)) return [];
  const classes: CodedClass[] = [];
  const found: StatedCode[] = [];
  const isRace = createRaceTest(text);
  for (const { 0: code, index: start } of text.matchAll(CODE)) {
    const each = { code, start, end: start + code.length };
    const system = findSystemBeside(text, each);
    if (system !== null && isKnownSystem(system)) classes.push(...classifyCode(system, code));
    else if (!isRace(each)) found.push(each);
  }
  const codes = new Set(findStated(text, found).map(({ code }) => insertPoint(code.toUpperCase())));
  return [...new Set([...classes, ...[...codes].flatMap((code) => classifyCode(null, code))])];
}

const insertPoint = (code: string): string =>
  POINTLESS.test(code) ? `${code.slice(0, 3)}.${code.slice(3)}` : code;

/**
 * Finds the codes that are meant as such. "T40", "2-3", "B20" and "F329" may be something else: in words they count in brackets,
 * behind words that lead to a code, and beside another code.
 */
function findStated(text: string, found: readonly StatedCode[]): StatedCode[] {
  const stated = found.map(
    (each) =>
      (UNMISTAKABLE.test(each.code) && !isNamedPlace(text, each)) ||
      (!isPlace(text, each) && (isCell(text, each) || isLedTo(text, each))),
  );
  const isBeside = (index: number, other: number): boolean => {
    const [left, right] = [found[Math.min(index, other)], found[Math.max(index, other)]];
    return stated[other] === true && left !== undefined && right !== undefined && isList(text, left, right);
  };
  for (const [index, each] of found.entries())
    if (isBeside(index, index - 1)) stated[index] ||= !isPlace(text, each);
  for (let index = found.length - 2; index >= 0; index--)
    if (isBeside(index, index + 1)) stated[index] ||= !isPlace(text, found[index]);
  return found.filter((_, index) => stated[index]);
}

/**
 * In a table or a message a cell holds nothing else. A code without its point may be the number of an order there, unless
 * something of the text is called a diagnosis or a code.
 */
function isCell(text: string, { code, start, end }: StatedCode): boolean {
  const isOnItsOwn = endsCell(text[start - 1]) && endsCell(text[end]);
  if (
    !isOnItsOwn &&
    (!CELL_START.test(text.slice(Math.max(0, start - 20), start)) ||
      !CELL_REST.test(text.slice(end, end + 20)))
  )
    return false;
  if (code !== code.toUpperCase() && !code.includes('.')) return false;
  if (!POINTLESS.test(code)) return true;
  const isQuoted = text[start - 1] === '"' && text[end] === '"';
  const [before, behind] = isQuoted ? [text[start - 2], text[end + 1]] : [text[start - 1], text[end]];
  const isInTable = before !== undefined || behind !== undefined;
  return isInTable && endsCell(before) && endsCell(behind) && TABLE_OF_CODES.test(text);
}

const TABLE_OF_CODES = /ICD|CIE-?10|\bI10\b|\bDG1\b|\bdx|diag|code/i;
const POINTLESS = /^[A-Z]\w{3}/i;

const endsCell = (letter: string | undefined): boolean => letter === undefined || CELL_END.test(letter);

/** Characters before a code that are read. */
const REACH = 60;

const LEAD =
  /(?:\b(?:ICD|CIE)(?:[-\s]?(?:9|10|11))?(?:[-\s]?(?:CM|GM))?|\bLOINC|\b(?:dx|diagnos[ie]s|diagnosed|diagn[oó]stic[oa]?s?|codes?|coded|c[oó]digos?|problems?|conditions?)\b)(?:\s{1,3}(?:codes?|c[oó]digos?|dx|diagnos[ie]s|is|are|as|with|of|de|es|list|no|number)){0,4}[\s:#=.,;"'([{*-]{0,6}(?:\d{1,2}[.)]\s{0,3})?$/i;
const ITEM = /(?:^|[\r\n])[ \t]{0,8}(?:[-*+•·–—]|\d{1,2}[.)])[ \t]{0,4}$/;
const ITEM_END = /^[ \t]{0,8}(?:$|[\r\n:,;.(–—-])/;
const BRACKETS = /^(?:\(\)|\[\]|\{\})$/;

function isLedTo(text: string, { start, end }: StatedCode): boolean {
  if (BRACKETS.test(`${text[start - 1] ?? ''}${text[end] ?? ''}`)) return true;
  const before = text.slice(Math.max(0, start - REACH), start);
  return LEAD.test(before) || (ITEM.test(before) && ITEM_END.test(text.slice(end, end + 10)));
}

const SEPARATOR = /^(?:[\s,;/&+|.:()[\]"'*•-]|\d{1,2}[.)]|and\b|or\b|y\b)+$/i;

const isList = (text: string, left: StatedCode, right: StatedCode): boolean =>
  right.start - left.end <= 12 && SEPARATOR.test(text.slice(left.end, right.start));

const PLACE =
  /\b(?:rooms?|beds?|wards?|units?|bays?|floors?|gates?|suites?|rows?|seats?|models?|filters?|vitamins?|habitaci[oó]n|camas?|salas?|modelos?|filtros?|vitaminas?)[\s:#(]{0,3}$/i;

const isPlace = (text: string, code: StatedCode | undefined): boolean =>
  code !== undefined && PLACE.test(text.slice(Math.max(0, code.start - 20), code.start));

/** A code with its point may stand behind "seen on the ward:" and "(unit)"; nobody calls a place or a model so and means an illness. */
const NAMED_PLACE =
  /\b(?:(?:rooms?|suites?|bays?|seats?|gates?|models?|habitaci[oó]n|modelos?)(?:\s{1,2}(?:no|nr|number|n[uú]mero)\b\.?)?\s{0,2}[:#]?\s{0,2}|(?:beds?|wards?|units?|floors?|filters?|camas?|salas?|filtros?)\s{1,2}#?)$/i;

const isNamedPlace = (text: string, { code, start }: StatedCode): boolean =>
  /^[A-Z]/i.test(code) && NAMED_PLACE.test(text.slice(Math.max(0, start - 30), start));
