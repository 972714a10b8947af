import { analyteOf, type AnalyteName } from '../analytes.ts';
import { concept, loinc } from '../codes.ts';
import type { Chart } from '../chart.ts';
import type { GeneratedResource } from '../resource.ts';
import type { Visit } from '../visit.ts';
import { observationAt, quantity } from './observation.ts';

const single: readonly AnalyteName[] = [
  'heartRate',
  'temperature',
  'respiratoryRate',
  'oxygenSaturation',
  'weight',
  'height',
  'bmi',
];

export function* vitalsAt(chart: Chart, visit: Visit): Iterable<GeneratedResource> {
  if (visit.kind === 'telehealth') return;
  yield bloodPressure(chart, visit);
  for (const name of single) {
    const { code, text } = analyteOf(name);
    // US Core's pulse oximetry profile asks for both codes.
    const codes =
      name === 'oxygenSaturation'
        ? [code, loinc('59408-5', 'Oxygen saturation in Arterial blood by Pulse oximetry')]
        : [code];
    yield {
      ...observationAt(chart, visit, { name, category: 'vital-signs', codes, text, minutesIn: 3 }),
      valueQuantity: quantity(chart, visit, name),
    };
  }
}

function bloodPressure(chart: Chart, visit: Visit): GeneratedResource {
  const component = (name: AnalyteName) => ({
    code: concept(analyteOf(name).code),
    valueQuantity: quantity(chart, visit, name),
  });
  return {
    ...observationAt(chart, visit, {
      name: 'blood-pressure',
      category: 'vital-signs',
      codes: [loinc('85354-9', 'Blood pressure panel with all children optional')],
      text: 'Blood pressure',
      minutesIn: 3,
    }),
    component: [component('systolic'), component('diastolic')],
  };
}
