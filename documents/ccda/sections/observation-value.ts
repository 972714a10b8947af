import type { Element } from 'slimdom';
import { addQualifiers, toCodeableConcept, resolveText } from '../concepts.ts';
import { getAttribute, getChild, getNullFlavor, getText, getXsiType } from '../elements.ts';
import { toRawNumber, type FhirObject } from '../fhir-values.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { buildAbsentConcept } from '../null-flavors.ts';
import { toQuantity, toQuantityOrRange, toRatio } from '../quantities.ts';
import { buildDateTime, toPeriod, toTime } from '../times.ts';
import { toNamedConcept } from './named-concepts.ts';
import { formatBuiltValue, formatParts } from './value-text.ts';

type ValueReader = (value: Element, narrative: NarrativeIndex) => FhirObject | undefined;

/** Builds `value[x]` of an Observation by `xsi:type`; without a value, `dataAbsentReason`. */
export function buildValue(value: Element | undefined, narrative: NarrativeIndex): FhirObject {
  if (value === undefined) return { dataAbsentReason: buildAbsentConcept(undefined) };
  const type = getXsiType(value) ?? '';
  const read = READERS.find(([types]) => types.test(type))?.[1] ?? readUntyped;
  const found =
    read(value, narrative) ?? readRaw(value, narrative) ?? readTrace(value) ?? readParts(value, narrative);
  return found ?? { dataAbsentReason: buildAbsentConcept(value) };
}

/** Formats a value of any type in one line; undefined where it has none. */
export const describeValue = (value: Element | undefined, narrative: NarrativeIndex): string | undefined =>
  formatBuiltValue(buildValue(value, narrative));

/** Reads v3 NullFlavor TRC, trace: more than nothing, too little to measure, which is a result. */
const readTrace = (value: Element): FhirObject | undefined =>
  getNullFlavor(value) === 'TRC' ? { valueString: 'Trace' } : undefined;

/** Reads a value that FHIR has no type for, as text. */
const readParts: ValueReader = (value) => {
  const text = formatParts(value);
  return text === undefined ? undefined : { valueString: text };
};

const readQuantity: ValueReader = (value, narrative) => {
  if (getChild(value, 'width') !== undefined) return readParts(value, narrative);
  const read = toQuantityOrRange(value);
  if (read === undefined) return undefined;
  return 'range' in read ? { valueRange: read.range } : { valueQuantity: read.quantity };
};

const readCoded: ValueReader = (value, narrative) => {
  const read = addQualifiers(toNamedConcept(value, narrative), value, narrative);
  return read && { valueCodeableConcept: read };
};

/** "<0.1", ">= 60 mL/min": a measured bound, written as text because PQ cannot express it. */
const BOUND = /^(<=?|>=?)\s{0,3}(\d{1,12}(?:\.\d{1,12})?)\s{0,3}([^\s\d][^\s]{0,30})?$/;

const readText: ValueReader = (value, narrative) => {
  const text =
    getAttribute(value, 'representation') === 'B64' ? formatParts(value) : resolveText(value, narrative);
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

const readTime: ValueReader = (value) => {
  const time = toTime(value);
  return time?.value === undefined ? undefined : buildDateTime('valueDateTime', time);
};

/** Reads an interval of time; one of a single point is that point. */
const readPeriod: ValueReader = (value, narrative) => {
  if (getChild(value, 'width') !== undefined) return readParts(value, narrative);
  const [low, high] = [getChild(value, 'low'), getChild(value, 'high')];
  if (low === undefined && high === undefined) return readTime(value, narrative);
  const found = toPeriod(value);
  return found?.start === undefined && found?.end === undefined ? undefined : { valuePeriod: found };
};

const readRatio: ValueReader = (value) => {
  const found = toRatio(value);
  return found && { valueRatio: found };
};

/**
 * Readers by type, of CDA's schema (datatypes-base.xsd, datatypes.xsd) with its generic types: `RTO_PQ_PQ`, `SXCM_TS`,
 * `PPD_PQ`. What has none here (II, TEL, AD, names, PIVL_TS) is read as text.
 */
const READERS: readonly (readonly [RegExp, ValueReader])[] = [
  [/^RTO(_|$)/, readRatio],
  [/^(PIVL|EIVL|SXPR|GLIST|SLIST)(_|$)/, readParts],
  [/^IVL_(PPD_)?TS$/, readPeriod],
  [/(^|_)TS$/, readTime],
  [/(^|_)IVL_/, readQuantity],
  [/(^|_)(PQ|MO)$/, readQuantity],
  [/(^|_)REAL$/, readReal],
  [/(^|_)INT$/, readInteger],
  [/(^|_)(CD|CE|CV|CO|CS|CR|PQR)$/, readCoded],
  [/^(ST|ED|SC|thumbnail)$/, readText],
  [/^(BL|BN)$/, readBoolean],
  [/^(II|TEL|URL|AD|ADXP|EN|PN|ON|TN|ENXP)$/, readParts],
];

/** Reads a value whose type is missing or not one of CDA's, by what it looks like. */
const readUntyped: ValueReader = (value, narrative) =>
  readQuantity(value, narrative) ?? readCoded(value, narrative) ?? readText(value, narrative);

/** Reads what was written in place of a number ("80-100", "1,234"), with its unit; else the text of the element. */
function readRaw(value: Element, narrative: NarrativeIndex): FhirObject | undefined {
  const raw = getAttribute(value, 'value');
  const unit = getAttribute(value, 'unit');
  const currency = getAttribute(value, 'currency');
  if (raw !== undefined)
    return { valueString: [raw, unit === '1' ? undefined : unit, currency].filter(Boolean).join(' ') };
  const text = getText(value) ?? resolveText(value, narrative) ?? toCodeableConcept(value, narrative)?.text;
  const original = text ?? resolveText(getChild(getChild(value, 'translation'), 'originalText'), narrative);
  return original === undefined ? undefined : { valueString: original };
}
