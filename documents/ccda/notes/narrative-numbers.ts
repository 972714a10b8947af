const MONTH = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])`;
const STREET = '(?:drive|dr|street|st|avenue|ave|road|rd|lane|ln|blvd|way|court|ct)';
/** Dates, times, addresses and numbers to call or to look up: documents format them in many ways, and they measure nothing. */
const NO_MEASUREMENTS = new RegExp(
  [
    String.raw`\b\d{4}-\d\d?-\d\d?(?:t[\d:.+z-]*)?`,
    String.raw`\b\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)\b`,
    String.raw`\b\d{1,2}(?:st|nd|rd|th)?[-/. ]?${MONTH}(?:[-/., ]{0,2}\d{4}\b|[-/]\d\d\b)?`,
    String.raw`\b${MONTH}[-/., ]{1,2}\d{1,2}(?:st|nd|rd|th)?\b(?:[-/, ]{1,2}\d{4}\b)?`,
    String.raw`\b${MONTH}[-/., ]{1,2}\d{4}\b`,
    String.raw`\b\d{1,2}[-/](?:19|20)\d\d\b`,
    String.raw`\b\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?(?: ?[ap]\.?m\b)?`,
    String.raw`[+-]\d{4}\b`,
    String.raw`\b(?:19|20)\d\d\b(?![.,]\d)`,
    String.raw`\(?\b\d{3}\)?[-. ]{0,2}\d{3}[-. ]\d{4}\b`,
    String.raw`\b\d+(?:[-.]\d+){2,20}\b`,
    String.raw`\b\d{1,5} (?:[a-z]+\.? ){1,3}${STREET}\b`,
    String.raw`\b\d{1,2}(?:st|nd|rd|th)\b`,
    String.raw`\b\d{5,}(?:-\d+)?\b(?![.,]\d)`,
    String.raw`\b\d{3,5}-\d\b(?!\.?\d)`,
  ].join('|'),
  'gi',
);
const MAX_DECIMALS = 6;
const NUMBER = /(?<![\p{L}\d.,])\d+(?:[.,]\d+)*/gu;

/** Leaves out dates, addresses and what is only looked up. */
export const withoutDates = (text: string): string => text.replace(NO_MEASUREMENTS, ' ');

/** Lists the numbers of a text without the zeros that they may be written with: 13.20 and 13,2 are 13.2. */
export const listNumbers = (text: string): string[] => text.match(NUMBER)?.map(normalize) ?? [];

/** Lists what a number is with fewer decimals, rounded or cut off. */
export function listShorterForms(number: string): string[] {
  const decimals = number.split('.')[1]?.length ?? 0;
  return Array.from({ length: Math.min(decimals, MAX_DECIMALS) }, (_, places) => [
    Number(number).toFixed(places),
    number.slice(0, number.indexOf('.') + (places === 0 ? 0 : places + 1)),
  ]).flatMap((forms) => forms.map(normalize));
}

/** Lists the codes of a text: those of SNOMED CT, RxNorm, CPT and LOINC. */
export const listCodes = (text: string): string[] => text.match(/\b\d{5,}\b|\b\d{1,5}-\d\b/g) ?? [];

function normalize(number: string): string {
  const decimal = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(number)
    ? number.replaceAll(',', '')
    : number.replace(',', '.');
  const integer = decimal.replace(/^0+(?=\d)/, '');
  return /^\d+\.\d+$/.test(integer) ? integer.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : integer;
}
