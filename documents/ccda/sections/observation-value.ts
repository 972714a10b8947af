import type { Element } from 'slimdom';
import { toCodeableConcept, resolveText } from '../concepts.ts';
import { getAttribute, getChild, getNullFlavor, getText, getXsiType } from '../elements.ts';
import { toRawNumber, type FhirObject } from '../fhir-values.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { buildAbsentConcept } from '../null-flavors.ts';
import { toQuantity, toQuantityOrRange, toRatio } from '../quantities.ts';
import { buildDateTime, toPeriod, toTime } from '../times.ts';
import { toNamedConcept } from './named-concepts.ts';

type ValueReader = (value: Element, narrative: NarrativeIndex) => FhirObject | undefined;

/** Builds `value[x]` of an Observation by `xsi:type`; without a value, `dataAbsentReason`. */
export function buildValue(value: Element | undefined, narrative: NarrativeIndex): FhirObject {
  if (value === undefined) return { dataAbsentReason: buildAbsentConcept(undefined) };
  const read = READERS.get(getXsiType(value) ?? '') ?? readUntyped;
  const found = read(value, narrative) ?? readRaw(value, narrative) ?? readTrace(value);
  return found ?? { dataAbsentReason: buildAbsentConcept(value) };
}

/** Reads v3 NullFlavor TRC, trace: more than nothing, too little to measure, which is a result. */
const readTrace = (value: Element): FhirObject | undefined =>
  getNullFlavor(value) === 'TRC' ? { valueString: 'Trace' } : undefined;

const readQuantity: ValueReader = (value) => {
  const read = toQuantityOrRange(value);
  if (read === undefined) return undefined;
  return 'range' in read ? { valueRange: read.range } : { valueQuantity: read.quantity };
};

const readCoded: ValueReader = (value, narrative) => {
  const read = toNamedConcept(value, narrative);
  return read && { valueCodeableConcept: read };
};

/** "<0.1", ">= 60 mL/min": a measured bound, written as text because PQ cannot express it. */
const BOUND = /^(<=?|>=?)\s{0,3}(\d{1,12}(?:\.\d{1,12})?)\s{0,3}([^\s\d][^\s]{0,30})?$/;

const readText: ValueReader = (value, narrative) => {
  const text = resolveText(value, narrative);
  if (text === undefined) return undefined;
  const [, comparator, number, unit] = BOUND.exec(text) ?? [];
  if (comparator === undefined) return { valueString: text };
  return { valueQuantity: { value: toRawNumber(number), comparator, unit } };
};

const readInteger: ValueReader = (value) => {
  const raw = getAttribute(value, 'value');
  if (getNullFlavor(value) !== undefined || raw === undefined) return undefined;
  return /^[+-]?\d{1,9}$/.test(raw) ? { valueInteger: toRawNumber(raw) } : undefined;
};

const readReal: ValueReader = (value) => {
  const read = toQuantity(value);
  return read && { valueQuantity: read };
};

const readBoolean: ValueReader = (value) => {
  const raw = getAttribute(value, 'value');
  return raw === 'true' || raw === 'false' ? { valueBoolean: raw === 'true' } : undefined;
};

const READERS = new Map<string, ValueReader>([
  ...['PQ', 'IVL_PQ', 'MO'].map((type) => [type, readQuantity] as const),
  ...['CD', 'CE', 'CV', 'CO', 'CS'].map((type) => [type, readCoded] as const),
  ...['ST', 'ED', 'SC'].map((type) => [type, readText] as const),
  ['INT', readInteger],
  ['REAL', readReal],
  ['BL', readBoolean],
  [
    'TS',
    (value) => (toTime(value) === undefined ? undefined : buildDateTime('valueDateTime', toTime(value))),
  ],
  [
    'IVL_TS',
    (value) => {
      const found = toPeriod(value);
      return found && { valuePeriod: found };
    },
  ],
  [
    'RTO',
    (value) => {
      const found = toRatio(value);
      return found && { valueRatio: found };
    },
  ],
]);

/** Reads a value whose type is missing or not one of CDA's, by what it looks like. */
const readUntyped: ValueReader = (value, narrative) =>
  readQuantity(value, narrative) ?? readCoded(value, narrative) ?? readText(value, narrative);

/** Reads what was written in place of a number ("80-100", "1,234"), with its unit; else the text of the element. */
function readRaw(value: Element, narrative: NarrativeIndex): FhirObject | undefined {
  const raw = getAttribute(value, 'value');
  const unit = getAttribute(value, 'unit');
  if (raw !== undefined)
    return { valueString: [raw, unit === '1' ? undefined : unit].filter(Boolean).join(' ') };
  const text = getText(value) ?? resolveText(value, narrative) ?? toCodeableConcept(value, narrative)?.text;
  const original = text ?? resolveText(getChild(getChild(value, 'translation'), 'originalText'), narrative);
  return original === undefined ? undefined : { valueString: original };
}
