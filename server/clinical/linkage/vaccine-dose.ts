import { normalizeUnit, normalizeValue } from './normalize-value.ts';
import { toFacet, type Facet } from './statement.ts';

const SERIES = /(?:^|, )dose (\S+?)(?: of (\S+?))?(?=,| \(|$)/g;

/** Builds the facet of which dose of a series it was ("dose 2 of 3"): a source may leave out of how many. */
export function toSeriesFacet(dose: string | null): Facet {
  const [only, ...more] = [...(dose ?? '').matchAll(SERIES)];
  if (only === undefined || more.length > 0) return toFacet(null);
  const [, number = '', count] = only;
  return {
    steps: ['', number, ...(count === undefined ? [] : [`${number} of ${count}`])],
    differing: 'contradiction',
  };
}

const MEASURED = /(?:^|, )(\d[\d.]*) ([^\s,]+)$/;
const UNITS_OF_VACCINES = new Set<string | null>(['ml', 'ug', 'mg']);

/** Builds the facet of how much was given ("0.5 mL"); "1 dose" and a number without a unit say nothing of that. */
export function toVolumeFacet(dose: string | null): Facet {
  const [, value = '', unit = null] = MEASURED.exec(dose ?? '') ?? [];
  const normalized = normalizeUnit(unit);
  return toFacet(UNITS_OF_VACCINES.has(normalized) ? `${normalizeValue(value)} ${normalized}` : null);
}
