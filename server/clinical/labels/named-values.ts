import type { RestrictedScope } from '../../../contract/data-categories.ts';
import { parseCodings } from '../entries/codeable-concept.ts';
import { readText, toElement, toElements, type Element } from '../entries/element.ts';
import { isAmbiguous } from './name-words.ts';

interface Findings {
  classes: Set<RestrictedScope>;
  words: string[];
}

const SPECIMEN =
  '(?:u|ur|urine|s|serum|blood|dau|uds|orina|en orina|in urine|scre?e?n|qual|quant|conf|confirm|phencyc[a-z]*|tox|result|[0-9]{1,4}(?: ?ng\\/ml)?)';
/** "PCP", "PCP-U", "UR PCP", "PCP 25", "PCP (Phencyc)". */
const PHENCYCLIDINE = new RegExp(
  `^(?:${SPECIMEN}[\\s,:_-]{1,3}){0,2}PCP(?:[\\s,:_(-]{1,3}${SPECIMEN}\\)?){0,3}$`,
  'i',
);
const MAX_NAME_LENGTH = 60;

const MEASURED = /^\s{0,9}(?:[<>]?=?\s{0,9}\d|pos|neg|detected|not det)/i;

/**
 * Reads a name that alone says nothing with its value. With a result PCP is a test of a drug, since primary care has none; a person or
 * practice is no result. CG with a number is that of a pregnancy.
 */
export function readNamedValues(element: Element, { classes, words }: Findings): void {
  const names = listNames(element['code']);
  if (names.length === 0) return;
  const values = listValues(element);
  if (names.some((name) => PHENCYCLIDINE.test(name.trim())) && isDrug(element, values))
    classes.add('SUBSTANCE_USE_OR_DRUG_ABUSE');
  if (names.some((name) => /^CG$/i.test(name.trim())) && values.some((value) => MEASURED.test(value)))
    classes.add('REPRODUCTIVE_HEALTH_DATA');
  for (const name of names.filter(isAmbiguous)) words.push(...values.map((value) => `${name}: ${value}`));
}

/** Names that may be of two meanings. */
function listNames(code: unknown, areCodesNames = true): string[] {
  if (typeof code !== 'object' || code === null) return [];
  const concept = toElement(code)?.['concept'] ?? code;
  return [
    readText(toElement(concept)?.['text']),
    ...parseCodings(concept).flatMap((coding) => [coding.display, ...(areCodesNames ? [coding.code] : [])]),
  ].filter((text) => text !== null && mayHaveTwoMeanings(text)) as string[];
}

const mayHaveTwoMeanings = (text: string): boolean =>
  text.length <= MAX_NAME_LENGTH &&
  /PCP|CG|EDD/i.test(text) &&
  (isAmbiguous(text.trim()) || PHENCYCLIDINE.test(text.trim()));

/** What the members of a result say, "" where it is no text: that there is one. */
const listValues = (element: Element): string[] =>
  Object.keys(element).flatMap((key) => {
    if (!/^value(?:[A-Z]|$)|^(?:interpretation|dataAbsentReason|referenceRange)$/.test(key)) return [];
    if (key === 'valueReference') return [];
    return toValues(element[key]);
  });

function toValues(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [String(value)];
  const { value: number, unit, text } = toElement(value) ?? {};
  if (number !== undefined) return [[number, unit].join(' ')];
  const texts = [readText(text), ...parseCodings(value).flatMap(({ display, code }) => [display ?? code])];
  const written = texts.filter((each) => each !== null);
  return written.length === 0 ? [''] : written;
}

/** An illness, a medicine or what somebody does not tolerate is no primary care either. */
const SUBSTANCES: ReadonlySet<unknown> = new Set([
  'Condition',
  'AllergyIntolerance',
  'Medication',
  'Substance',
]);

function isDrug(element: Element, values: readonly string[]): boolean {
  const { resourceType, code } = element;
  if (SUBSTANCES.has(resourceType)) return listNames(code, false).length > 0;
  if (values.some((value) => !namesPerson(value))) return true;
  return values.length === 0 && typeof resourceType === 'string' && isOfLaboratory(element);
}

const LABORATORY = /^(?:laboratory|lab|chemistry|toxicology|CH|TX|108252007)$/i;

const isOfLaboratory = ({ category }: Element): boolean =>
  toElements(category).some((each) =>
    [readText(each['text']), ...parseCodings(each).flatMap(({ code, display }) => [code, display])].some(
      (name) => name !== null && (LABORATORY.test(name) || /laborator|toxicolog/i.test(name)),
    ),
  );

const TITLED =
  /\b(?:Dra?|Mrs?|Ms|Doctora?|MD|DO|NP|PA-?C?|RN|APRN|FNP|DNP|MBBS|clinic[as]?|practice|medicine|medical|center|centre|health|family|associates|physicians?|primary care|provider|hospital|centro)\b/i;
/** "Jones, Ann", "Ann B. Jones". */
const PERSON = /^\p{Lu}[\p{L}'’-]+,?(?: \p{Lu}(?:\.|[\p{L}'’-]+)?){1,3}$/u;
const RESULT =
  /[<>=%]|\d ?(?:[nu]g|mcg)|\b(?:(?:pos|neg|not?|non|none|det|und|pres|see|with|cut|less|low|high|yes|si|do not|test|sent)\b|posit|negativ|detec|presen|presum|absen|pending|normal|abnorm|within|invalid|insuff|cancel|cutoff|greater|above|below|confirm|unconf|screen|result|unk|refus|react|trace|indet|equiv|comment|sample|specimen|urine|orina|drug|tox)/i;

/** Whether a value is who somebody's doctor is, or where. */
const namesPerson = (value: string): boolean =>
  !RESULT.test(value) && (TITLED.test(value) || PERSON.test(value.trim()));
