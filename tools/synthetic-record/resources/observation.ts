import { getAnalyte, type AnalyteName } from '../analytes.ts';
import { measureAnalyte } from '../measurements.ts';
import { createConcept, createHl7Concept, UCUM, type NamedCoding } from '../codes.ts';
import { getPatientReference, type Chart } from '../chart.ts';
import { toDecimal } from '../decimal.ts';
import { toReference } from '../resource-id.ts';
import { formatVisitTime, type Visit } from '../visit.ts';

const categories = {
  laboratory: 'Laboratory',
  survey: 'Survey',
  'vital-signs': 'Vital Signs',
} as const;

export type ObservationCategory = keyof typeof categories;

/** What all observations of a visit have in common. */
export function buildObservation(
  chart: Chart,
  visit: Visit,
  what: {
    name: string;
    category: ObservationCategory;
    codes: readonly NamedCoding[];
    text: string;
    minutesIn: number;
  },
) {
  return {
    resourceType: 'Observation',
    id: chart.profile.toId(toObservationName(what.name, visit)),
    status: 'final',
    category: [createHl7Concept('observation-category', what.category, categories[what.category])],
    code: createConcept(what.codes, what.text),
    subject: getPatientReference(chart),
    encounter: toReference(visit.id),
    effectiveDateTime: formatVisitTime(visit, what.minutesIn),
  };
}

export function toObservationName(name: string, visit: Visit): string {
  return `Observation/${name}/${visit.index}`;
}

export function measureQuantity(chart: Chart, visit: Visit, name: AnalyteName) {
  return toQuantity(name, measureAnalyte(chart.profile, visit, name));
}

export function toQuantity(name: AnalyteName, value: number) {
  const { unit, ucum, places } = getAnalyte(name);
  return { value: toDecimal(value, places), unit, system: UCUM, code: ucum };
}
