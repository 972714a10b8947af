import type { Element } from 'slimdom';
import { getAttribute, getChild, getNullFlavor, getText } from './elements.ts';
import { toRawNumber, type FhirObject } from './fhir-values.ts';
import { isUcumUnit } from './units.ts';

/** Converts a `PQ`, `REAL`, `INT` or `MO`: number and unit as the document writes them. */
export function toQuantity(element: Element | undefined): FhirObject | undefined {
  if (element === undefined || getNullFlavor(element) !== undefined) return undefined;
  const value = toRawNumber(getAttribute(element, 'value'));
  return value === undefined ? undefined : { value, ...toUnit(element) };
}

/** Converts an `IVL_PQ`: one end makes a comparator, both a range, `center` or a value alone a plain quantity. */
export function toQuantityOrRange(
  element: Element | undefined,
): { quantity: FhirObject } | { range: FhirObject } | undefined {
  const [low, high] = [getChild(element, 'low'), getChild(element, 'high')];
  const [from, to] = [toQuantity(low), toQuantity(high)];
  if (from && to) return { range: { low: from, high: to } };
  if (from) return { quantity: { ...from, comparator: isInclusive(low) ? '>=' : '>' } };
  if (to) return { quantity: { ...to, comparator: isInclusive(high) ? '<=' : '<' } };
  const single = toQuantity(getChild(element, 'center')) ?? toQuantity(element);
  return single && { quantity: single };
}

/** Returns low and high of an `IVL_PQ`, for reference ranges. */
export function toRange(element: Element | undefined): FhirObject | undefined {
  const [low, high] = [toQuantity(getChild(element, 'low')), toQuantity(getChild(element, 'high'))];
  return low === undefined && high === undefined ? undefined : { low, high };
}

/** Converts an `RTO` with numerator and denominator. */
export function toRatio(element: Element | undefined): FhirObject | undefined {
  const [numerator, denominator] = [
    toQuantity(getChild(element, 'numerator')),
    toQuantity(getChild(element, 'denominator')),
  ];
  return numerator === undefined || denominator === undefined ? undefined : { numerator, denominator };
}

/**
 * Returns the unit as it was written, with its code only where it is one of UCUM. CDA's "1" says that there is no unit, so
 * it is only a code. Without a UCUM unit the text of a translation or of the value is the unit.
 */
function toUnit(element: Element): FhirObject {
  const unit =
    getAttribute(element, 'unit') ?? getAttribute(getChild(element, 'translation'), 'originalText');
  const words = unit ?? getText(getChild(getChild(element, 'translation'), 'originalText'));
  const currency = getAttribute(element, 'currency');
  if (currency !== undefined) return { unit: currency, system: 'urn:iso:std:iso:4217', code: currency };
  if (words === undefined) return {};
  if (words === '1') return { system: UCUM, code: '1' };
  return isUcumUnit(words) ? { unit: words, system: UCUM, code: words } : { unit: words };
}

const UCUM = 'http://unitsofmeasure.org';

const isInclusive = (end: Element | undefined): boolean => getAttribute(end, 'inclusive') !== 'false';
