import type { Element } from 'slimdom';
import { concept, referencedText } from '../concepts.ts';
import { attribute, child, nullFlavor, textOf, typeOf } from '../elements.ts';
import { numberAsWritten, type FhirObject } from '../fhir-values.ts';
import type { NarrativePlaces } from '../narrative-places.ts';
import { absentConcept } from '../null-flavors.ts';
import { quantity, quantityOrRange, ratio } from '../quantities.ts';
import { dated, period, time } from '../times.ts';
import { namedConcept } from './own-words.ts';

type Read = (value: Element, narrative: NarrativePlaces) => FhirObject | undefined;

/** `value[x]` of an Observation by `xsi:type`; where there is no value, `dataAbsentReason`. */
export function valueOf(value: Element | undefined, narrative: NarrativePlaces): FhirObject {
  if (value === undefined) return { dataAbsentReason: absentConcept(undefined) };
  const read = READERS.get(typeOf(value) ?? '') ?? guess;
  const found = read(value, narrative) ?? asWritten(value, narrative) ?? trace(value);
  return found ?? { dataAbsentReason: absentConcept(value) };
}

/** v3 NullFlavor TRC: more than nothing, too little to measure. That is a result. */
const trace = (value: Element): FhirObject | undefined =>
  nullFlavor(value) === 'TRC' ? { valueString: 'Trace' } : undefined;

const measured: Read = (value) => {
  const read = quantityOrRange(value);
  if (read === undefined) return undefined;
  return 'range' in read ? { valueRange: read.range } : { valueQuantity: read.quantity };
};

const coded: Read = (value, narrative) => {
  const read = namedConcept(value, narrative);
  return read && { valueCodeableConcept: read };
};

/** "<0.1", ">= 60 mL/min": a bound that was measured, written as text because PQ has no place for it. */
const BOUND = /^(<=?|>=?)\s{0,3}(\d{1,12}(?:\.\d{1,12})?)\s{0,3}([^\s\d][^\s]{0,30})?$/;

const words: Read = (value, narrative) => {
  const text = referencedText(value, narrative);
  if (text === undefined) return undefined;
  const [, comparator, number, unit] = BOUND.exec(text) ?? [];
  if (comparator === undefined) return { valueString: text };
  return { valueQuantity: { value: numberAsWritten(number), comparator, unit } };
};

const whole: Read = (value) => {
  const written = attribute(value, 'value');
  if (nullFlavor(value) !== undefined || written === undefined) return undefined;
  return /^[+-]?\d{1,9}$/.test(written) ? { valueInteger: numberAsWritten(written) } : undefined;
};

const real: Read = (value) => {
  const read = quantity(value);
  return read && { valueQuantity: read };
};

const truth: Read = (value) => {
  const written = attribute(value, 'value');
  return written === 'true' || written === 'false' ? { valueBoolean: written === 'true' } : undefined;
};

const READERS = new Map<string, Read>([
  ...['PQ', 'IVL_PQ', 'MO'].map((type) => [type, measured] as const),
  ...['CD', 'CE', 'CV', 'CO', 'CS'].map((type) => [type, coded] as const),
  ...['ST', 'ED', 'SC'].map((type) => [type, words] as const),
  ['INT', whole],
  ['REAL', real],
  ['BL', truth],
  ['TS', (value) => (time(value) === undefined ? undefined : dated('valueDateTime', time(value)))],
  [
    'IVL_TS',
    (value) => {
      const found = period(value);
      return found && { valuePeriod: found };
    },
  ],
  [
    'RTO',
    (value) => {
      const found = ratio(value);
      return found && { valueRatio: found };
    },
  ],
]);

/** A type that is missing or not one of CDA's: what the element itself looks like. */
const guess: Read = (value, narrative) =>
  measured(value, narrative) ?? coded(value, narrative) ?? words(value, narrative);

/** What was written where a number belongs ("80-100", "1,234"), with its unit; else the words of the element. */
function asWritten(value: Element, narrative: NarrativePlaces): FhirObject | undefined {
  const written = attribute(value, 'value');
  const unit = attribute(value, 'unit');
  if (written !== undefined)
    return { valueString: [written, unit === '1' ? undefined : unit].filter(Boolean).join(' ') };
  const said = textOf(value) ?? referencedText(value, narrative) ?? concept(value, narrative)?.text;
  const original = said ?? referencedText(child(child(value, 'translation'), 'originalText'), narrative);
  return original === undefined ? undefined : { valueString: original };
}
