import { getAnalyte, type AnalyteName } from '../analytes.ts';
import { createConcept, loinc } from '../codes.ts';
import type { Chart } from '../chart.ts';
import type { GeneratedResource } from '../resource.ts';
import type { Visit } from '../visit.ts';
import { buildObservation, measureQuantity } from './observation.ts';

const singleVitals: readonly AnalyteName[] = [
  'heartRate',
  'temperature',
  'respiratoryRate',
  'oxygenSaturation',
  'weight',
  'height',
  'bmi',
];

export function* generateVitals(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (visit.kind === 'telehealth') return;
  yield buildBloodPressure(chart, visit);
  for (const name of singleVitals) {
    const { code, text } = getAnalyte(name);
    // US Core's pulse oximetry profile asks for both codes.
    const codes =
      name === 'oxygenSaturation'
        ? [code, loinc('59408-5', 'Oxygen saturation in Arterial blood by Pulse oximetry')]
        : [code];
    yield {
      ...buildObservation(chart, visit, { name, category: 'vital-signs', codes, text, minutesIn: 3 }),
      valueQuantity: measureQuantity(chart, visit, name),
    };
  }
}

function buildBloodPressure(chart: Chart, visit: Visit): GeneratedResource {
  const buildComponent = (name: AnalyteName) => ({
    code: createConcept(getAnalyte(name).code),
    valueQuantity: measureQuantity(chart, visit, name),
  });
  return {
    ...buildObservation(chart, visit, {
      name: 'blood-pressure',
      category: 'vital-signs',
      codes: [loinc('85354-9', 'Blood pressure panel with all children optional')],
      text: 'Blood pressure',
      minutesIn: 3,
    }),
    component: [buildComponent('systolic'), buildComponent('diastolic')],
  };
}
