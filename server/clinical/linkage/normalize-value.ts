import { normalizeName } from '../entries/codeable-concept.ts';
import { trimEnding } from '../../platform/kernel/trim-ending.ts';

/** SNOMED CT names end with the kind of thing they name. */
const SEMANTIC_TAG =
  / \((?:disorder|procedure|finding|qualifier value|situation|regime\/therapy|observable entity|substance|morphologic abnormality|event|product|medicinal product)\)$/;

/** Returns a name as it is compared: without case, spacing, and the tag of its code system. */
export const normalizeTitle = (name: string): string => normalizeName(name).replace(SEMANTIC_TAG, '');

const NUMBER = /^([<>]=?|[≤≥~])?\s*([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,9}))?$/;

/** Writes equal numbers equally (98.60 = 98.6 = 9.86e1) by their digits, without arithmetic; other text as `normalizeTitle`. */
export function normalizeValue(value: string): string {
  const name = normalizeTitle(value);
  const match = NUMBER.exec(name);
  const [, comparator = '', sign = '', integer = '', fraction = '', exponent = '0'] = match ?? [];
  const digits = `${integer}${fraction}`;
  if (!match || digits === '') return name;
  const significant = digits.replace(/^0+/, '');
  const trimmed = trimEnding(significant, '0');
  if (trimmed === '') return `${comparator}0`;
  const power = Number(exponent) - fraction.length + significant.length - trimmed.length;
  return `${comparator}${sign === '-' ? '-' : ''}${trimmed}e${power}`;
}

/** Normalizes words and every number in them: "1.0 tablet  daily." is "1 tablet daily". */
export const normalizeWords = (words: string): string =>
  normalizeTitle(words)
    .replace(/\d{1,40}(?:\.\d{1,40})?/g, normalizeValue)
    .replace(/(?<![.,;])[.,;]+(?=\s|$)/g, '');

/** "Severe (severity modifier) (qualifier value)" is "severe". */
export const normalizeSeverity = (severity: string): string =>
  normalizeTitle(severity).replace(/ \(severity modifier\)$/, '');

const ROMAN = new Map(Object.entries({ i: '1', ii: '2', iii: '3', iv: '4', v: '5' }));

/** "Stage IIIA" is "3a", as "stage 3a" is; of other words only case and spacing are taken off. */
export const normalizeStage = (stage: string): string =>
  normalizeTitle(stage)
    .replace(/^stage /, '')
    .replace(/^(iv|v|i{1,3})(?=[a-d]?$)/, (roman) => ROMAN.get(roman) ?? roman);

/** Where to a patient was discharged, by the words of HL7 table 0112, of the UB-04 codes, and of FHIR. */
const DISPOSITIONS: readonly [words: RegExp, disposition: string][] = [
  [/\b(?:died|dead|deceased|expired)\b/, 'died'],
  [/\bhospice\b/, 'hospice'],
  [/\bhome or self care\b|^(?:discharged )?(?:to )?home$|^routine discharge$/, 'home'],
];

export function normalizeDisposition(disposition: string): string {
  const words = normalizeWords(disposition);
  return DISPOSITIONS.find(([known]) => known.test(words))?.[1] ?? words;
}

/** Spellings of one unit in real records; a unit that is not here is compared as written, without case and spaces. */
const UNITS = new Map(
  Object.entries({
    'mm[hg]': 'mmhg',
    lb: 'lb [lb_av] lbs pound pounds',
    in: '[in_i] [in_us] [in] inch inches "',
    kg: 'kilogram kilograms kgs',
    ml: 'cc milliliter milliliters millilitre millilitres milliliter(s)',
    ug: 'mcg microgram micrograms',
    mg: 'milligram milligrams',
    cm: 'centimeter centimeters',
    cel: '°c c degc degreesc degreescelsius celsius',
    '[degf]': '°f f degf degreesf degreesfahrenheit fahrenheit',
    '/min':
      '{beats}/min {beats}/minute beats/min beats/minute bpm {breaths}/min breaths/min breaths/minute {resp}/min per_minute min-1 1/min',
    'kg/m2': 'kg/m^2 kg/m² kg/sqm kg/(m2)',
    '%': '%{saturation} %o2 percent %(1)',
    'mmol/l': 'mmole/l millimol/l',
    '10*3/ul': '10^3/ul k/ul thou/ul x10e3/ul 10*3/mm3 k/mm3 thousand/ul 10e3/ul 10*9/l 10^9/l',
    '10*6/ul': '10^6/ul m/ul mil/ul x10e6/ul 10e6/ul 10*12/l 10^12/l',
    'm[iu]/l': 'miu/l mu/l uiu/ml u[iu]/ml',
    'u/l': 'iu/l [iu]/l',
    'meq/l': 'meq/liter',
  }).flatMap(
    ([unit, others]) =>
      [[unit, unit], ...others.split(' ').map((other) => [other, unit])] as [string, string][],
  ),
);

/** Normalizes a unit; UCUM's "1", "{score}" and the like are no unit. */
export function normalizeUnit(unit: string | null): string | null {
  const written = (unit ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('µ', 'u')
    .replaceAll('μ', 'u')
    .replace(/\s+/g, '');
  if (written === '' || written === '1' || /^\{[^}]*\}$/.test(written)) return null;
  return UNITS.get(written) ?? written;
}
