import type { Element } from 'slimdom';
import { attribute, child, nullFlavor, textOf } from './elements.ts';
import { numberAsWritten, type FhirObject } from './fhir-values.ts';
import { isUcum } from './units.ts';

/** A `PQ`, `REAL`, `INT` or `MO`: the number in the digits and the unit in the words of the document. */
export function quantity(element: Element | undefined): FhirObject | undefined {
  if (element === undefined || nullFlavor(element) !== undefined) return undefined;
  const value = numberAsWritten(attribute(element, 'value'));
  return value === undefined ? undefined : { value, ...unitOf(element) };
}

/** An `IVL_PQ`: one end makes a comparator, both a range, `center` or a value alone a plain quantity. */
export function quantityOrRange(
  element: Element | undefined,
): { quantity: FhirObject } | { range: FhirObject } | undefined {
  const [low, high] = [child(element, 'low'), child(element, 'high')];
  const [from, to] = [quantity(low), quantity(high)];
  if (from && to) return { range: { low: from, high: to } };
  if (from) return { quantity: { ...from, comparator: isInclusive(low) ? '>=' : '>' } };
  if (to) return { quantity: { ...to, comparator: isInclusive(high) ? '<=' : '<' } };
  const single = quantity(child(element, 'center')) ?? quantity(element);
  return single && { quantity: single };
}

/** Low and high of an `IVL_PQ`, for reference ranges. */
export function range(element: Element | undefined): FhirObject | undefined {
  const [low, high] = [quantity(child(element, 'low')), quantity(child(element, 'high'))];
  return low === undefined && high === undefined ? undefined : { low, high };
}

/** `RTO`: numerator and denominator. */
export function ratio(element: Element | undefined): FhirObject | undefined {
  const [numerator, denominator] = [
    quantity(child(element, 'numerator')),
    quantity(child(element, 'denominator')),
  ];
  return numerator === undefined || denominator === undefined ? undefined : { numerator, denominator };
}

/**
 * The unit as it was written; its code only where it is one of UCUM. What CDA calls "1" is no unit but says that there is
 * none, so it is code alone. Without a UCUM unit the words of a translation or of the value tell it.
 */
function unitOf(element: Element): FhirObject {
  const unit = attribute(element, 'unit') ?? attribute(child(element, 'translation'), 'originalText');
  const words = unit ?? textOf(child(child(element, 'translation'), 'originalText'));
  if (words === undefined) return {};
  if (words === '1') return { system: UCUM, code: '1' };
  return isUcum(words) ? { unit: words, system: UCUM, code: words } : { unit: words };
}

const UCUM = 'http://unitsofmeasure.org';

const isInclusive = (end: Element | undefined): boolean => attribute(end, 'inclusive') !== 'false';
