import type { RecordFact } from '../../../../contract/account/record-facts.ts';
import { findPressures } from '../../../clinical/entries/blood-pressure.ts';
import type { Entry } from '../../../clinical/entries/entry.ts';
import type { Measure, ObservationDetail } from '../../../clinical/entries/observation-detail.ts';

type Measurement = RecordFact['measurements'][number];

/** UCUM's units that people write otherwise; what stands in braces is for them. */
const PLAIN_UNITS: ReadonlyMap<string, string> = new Map([
  ['mm[Hg]', 'mmHg'],
  ['Cel', '°C'],
  ['[degF]', '°F'],
  ['[lb_av]', 'lb'],
  ['[oz_av]', 'oz'],
  ['[in_i]', 'in'],
  ['[ft_i]', 'ft'],
  ['1', ''],
]);

/** An annotation belongs to the unit: "mL/min/{1.73_m2}" is no "mL/min", and "/{HPF}" no "/". */
const toPlainUnit = (unit: string): string =>
  PLAIN_UNITS.get(unit) ??
  unit
    // After a unit without an operator between, an annotation is a word of its own.
    .replace(/([^/.*])(?=\{)/g, '$1 ')
    .replace(/\{([^{}]*)\}/g, (_, annotation: string) => toPlainWords(annotation))
    .replace(/\[(iU|IU)\]/, 'IU')
    .trim();

const toPlainWords = (annotation: string): string =>
  annotation.replaceAll('_', ' ').replace(/\bm([23])\b/g, (_, power: string) => `m${POWERS[power]}`);

const POWERS: Readonly<Record<string, string>> = { 2: '²', 3: '³' };

const formatValue = ({ value, unit, absent }: Pick<Measure, 'value' | 'unit' | 'absent'>): string | null =>
  value === null ? absent : [value, unit === null ? '' : toPlainUnit(unit)].filter(Boolean).join(' ');

const toMeasurement = (measure: Omit<Measure, 'label' | 'code'>, name: string | null): Measurement[] => {
  const text = formatValue(measure);
  if (text === null) return [];
  const { referenceRange: range, flag, computed } = measure;
  return [{ name, text, range, flag: flag ?? computed?.flag ?? null }];
};

/** Returns the values of an observation as people write them: both blood pressures as one. */
export function listMeasurements({ kind, detail }: Pick<Entry, 'kind' | 'detail'>): Measurement[] {
  if (kind !== 'lab' && kind !== 'vital' && kind !== 'social_history' && kind !== 'survey') return [];
  const observation = detail as ObservationDetail;
  const { components } = observation;
  const pair = kind === 'vital' ? findPressures(observation) : null;
  const parts = pair === null ? components : components.filter((part) => !Object.values(pair).includes(part));
  const own = observation.value === null && components.length > 0 ? [] : toMeasurement(observation, null);
  const pressure =
    pair === null
      ? []
      : toMeasurement(
          { ...observation, ...pickPressure(pair), value: `${pair.systolic.value}/${pair.diastolic.value}` },
          null,
        );
  return [...pressure, ...own, ...parts.flatMap((part) => toMeasurement(part, part.label))];
}

/** The unit of both; a flag of either, where the whole has none. */
function pickPressure({ systolic, diastolic }: { systolic: Measure; diastolic: Measure }) {
  const flag = [systolic, diastolic]
    .map((each) => each.flag ?? each.computed?.flag)
    .find((each) => each !== undefined && each !== 'normal');
  return { unit: systolic.unit, absent: null, ...(flag !== undefined && { flag }) };
}
