import { analyteOf, type AnalyteName } from '../analytes.ts';
import { measured } from '../body.ts';
import { concept, terminology, UCUM, type Coded } from '../codes.ts';
import { patientOf, type Chart } from '../chart.ts';
import { decimal } from '../decimal.ts';
import { referenceTo } from '../resource-id.ts';
import { timeAt, type Visit } from '../visit.ts';

const categories = {
  laboratory: 'Laboratory',
  survey: 'Survey',
  'vital-signs': 'Vital Signs',
} as const;

export type ObservationCategory = keyof typeof categories;

/** What all observations of a visit have in common. */
export function observationAt(
  chart: Chart,
  visit: Visit,
  what: {
    name: string;
    category: ObservationCategory;
    codes: readonly Coded[];
    text: string;
    minutesIn: number;
  },
) {
  return {
    resourceType: 'Observation',
    id: chart.life.id(observationName(what.name, visit)),
    status: 'final',
    category: [terminology('observation-category', what.category, categories[what.category])],
    code: concept(what.codes, what.text),
    subject: patientOf(chart),
    encounter: referenceTo(visit.id),
    effectiveDateTime: timeAt(visit, what.minutesIn),
  };
}

export function observationName(name: string, visit: Visit): string {
  return `Observation/${name}/${visit.index}`;
}

export function quantity(chart: Chart, visit: Visit, name: AnalyteName) {
  return quantityOf(name, measured(chart.life, visit, name));
}

export function quantityOf(name: AnalyteName, value: number) {
  const { unit, ucum, places } = analyteOf(name);
  return { value: decimal(value, places), unit, system: UCUM, code: ucum };
}
