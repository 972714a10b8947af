import type { Measure, ObservationDetail } from '../entries/observation-detail.ts';
import { AVERAGE_CODES } from '../entries/vital-signs.ts';
import { collectNames } from './names.ts';
import { normalizeTitle, normalizeUnit, normalizeValue } from './normalize-value.ts';
import {
  toDateSteps,
  toDistinction,
  toEndFacet,
  toFacet,
  type EntryOfKind,
  type Facet,
  type Rule,
} from './statement.ts';

type Result = Pick<Measure, 'value' | 'unit'>;

/** Numbers in two units are not compared: 98.6 and 37 may be the same, or not. */
const toResultFacets = ({ value, unit }: Result): [value: Facet, unit: Facet] => [
  toFacet(value === null ? null : normalizeValue(value)),
  toFacet(value === null ? null : normalizeUnit(unit), 'two facts'),
];

const listPartNames = ({ label, code }: Measure): string[] => [
  ...(code !== null && !code.startsWith('|') ? [`code ${code}`] : []),
  `title ${normalizeTitle(label)}`,
];

/** Joins the components into one value, sorted: two panels agree when every part does. */
const joinComponents = (components: readonly Measure[]): Result => ({
  value: components
    .map(
      (part) =>
        `${listPartNames(part)[0]} ${part.value === null ? '' : normalizeValue(part.value)} ${normalizeUnit(part.unit) ?? ''}`,
    )
    .sort()
    .join('; '),
  unit: null,
});

const SYSTOLIC = /systolic|\b8480-6$/i;
const DIASTOLIC = /diastolic|\b8462-4$/i;

/** Returns the facets of both pressures, of which a source may leave one out; null where no component is a pressure. */
function buildPressureFacets(components: readonly Measure[]): Facet[] | null {
  const [systolic, diastolic] = [SYSTOLIC, DIASTOLIC].map((name) =>
    components.find(({ label, code }) => name.test(label) || name.test(code ?? '')),
  );
  if (systolic === undefined && diastolic === undefined) return null;
  const [value, unit] = toResultFacets(systolic ?? { value: null, unit: null });
  return [value, unit, toResultFacets(diastolic ?? { value: null, unit: null })[0]];
}

/** Says what a result states: its value, and the values of its parts. */
export function describeObservation(
  entry: EntryOfKind<'lab' | 'vital' | 'social_history' | 'survey'>,
): ReturnType<Rule<'lab'>> {
  const { detail, code } = entry;
  const { components, value } = detail;
  // An average does not contradict a reading.
  const vital = entry.kind === 'vital' && !AVERAGE_CODES.includes(code ?? '') ? entry.detail.vital : null;
  const both = vital === 'Blood Pressure' ? buildPressureFacets(components) : null;
  // A systolic pressure alone is a blood pressure too, but does not state the whole of it.
  const isVitalAsWhole = vital !== null && (vital !== 'Blood Pressure' || both !== null);
  // A susceptibility has no value: its interpretation is the result.
  const measured = value === null ? { value: detail.interpretation, unit: null } : detail;
  // Until when somebody smoked; what a measurement took is no statement about a life.
  const end = entry.kind === 'social_history' ? toEndFacet(entry.endText) : toFacet(null);
  const result = value === null && components.length > 0 ? joinComponents(components) : measured;
  return {
    // A cancelled result is no valid one, whatever the other source states.
    ...(entry.status === 'cancelled' && { role: 'cancelled' }),
    ...(isVitalAsWhole && { names: [...collectNames(entry), `vital ${vital}`] }),
    when: toDateSteps(entry, { maxPrecision: 'time' }),
    facets: [...(both ?? [...toResultFacets(result), toFacet(null)]), distinguishObservation(detail), end],
    requiresSameDate: true,
    parts: components
      .filter((part) => part.value !== null)
      .map((part) => ({
        names: listPartNames(part),
        facets: [...toResultFacets(part), toFacet(null), toFacet(null), toFacet(null)],
      })),
  };
}

const NUMERIC = /^[<>=≤≥~\s]*[-+]?\d/;

/**
 * Where it was measured; in what, unless the number and the code say so ("Serum" and "Blood" are spellings of one thing there,
 * and two things of a culture); and of a panel without a value its words, the conclusion of a report.
 */
function distinguishObservation({ value, components, bodySite, specimen, note }: ObservationDetail): Facet {
  const isHeading = value === null && components.length === 0;
  const isNumeric = NUMERIC.test(value ?? '') || components.length > 0;
  return toDistinction(bodySite, isNumeric ? null : specimen, isHeading ? note : null);
}
