import type { Measure, ObservationDetail } from '../records/entry.ts';
import type { Recorded } from '../records/clinical.sql.ts';
import { listed } from './markdown.ts';
import { nameText } from './name-text.ts';
import { inline } from './record-text.ts';

type Value = Pick<Measure, 'value' | 'unit' | 'absent'>;

/** "5.40 mmol/L", digits and unit as written; UCUM's "1" says nothing. Without a value: why there is none. */
export function valueText({ value, unit, absent }: Value): string {
  if (value === null) return absent === null ? '' : inline(absence(absent), 80);
  return unit === null || unit === '1' ? nameText(value) : inline(`${value} ${unit}`);
}

const absence = (reason: string): string => (reason.startsWith('no value') ? reason : `no value: ${reason}`);

export const holdsValue = ({ value, components }: ObservationDetail): boolean =>
  value !== null || components.some((part) => part.value !== null);

/** "5.40 mmol/L", "Verbal: 4; Motor: 5", or both; that nothing was found is said once, not for each part. */
export function measurement(detail: ObservationDetail): string {
  const { components } = detail;
  if (components.length === 0) return valueText(detail);
  if (!holdsValue(detail)) {
    const reasons = new Set([detail, ...components].flatMap(({ absent }) => absent ?? []));
    return valueText({ ...detail, absent: [...reasons].join(', ') || null });
  }
  const parts = components.map((part) => `${nameText(part.label, 80)}: ${partText(part)}`);
  return listed([detail.value !== null && valueText(detail), ...parts]);
}

const partText = (part: Measure): string =>
  part.value === null ? `(${inline(part.absent ?? 'no value recorded', 80)})` : valueText(part);

const SYSTOLIC = /systolic/i;
const DIASTOLIC = /diastolic/i;
/** LOINC's means; SNOMED CT's number of occurrences beside them (US Core average blood pressure). */
const AVERAGE = /^http:\/\/loinc\.org\|9660[789]-[0-9]$/;
const NUMBER_OF_READINGS = /(^|\|)246432004$/;

type Vital = Pick<Recorded<'vital'>, 'title' | 'code' | 'detail'>;

/** "120/80 mmHg" where both are there and their units agree; else each with its own. */
export function vitalText(vital: Vital): string {
  const { code, detail } = vital;
  if (detail.vital !== 'Blood Pressure') return measurement(detail);
  if (code === null || !AVERAGE.test(code)) return pressureText(vital);
  const count = detail.components.find((part) => NUMBER_OF_READINGS.test(part.code ?? ''));
  const components = detail.components.filter((part) => part !== count);
  const of = count?.value ? ` of ${inline(count.value, 20)} measurements` : '';
  return `average${of}: ${pressureText({ ...vital, detail: { ...detail, components } })}`;
}

function pressureText({ title, detail }: Vital): string {
  const { components } = detail;
  if (!holdsValue(detail)) return measurement(detail);
  if (components.length === 0) return `${nameText(title, 80)}: ${valueText(detail)}`;
  const systolic = components.find(({ label }) => SYSTOLIC.test(label));
  const diastolic = components.find(({ label }) => DIASTOLIC.test(label));
  if (!systolic?.value || !diastolic?.value || systolic.unit !== diastolic.unit) return measurement(detail);
  const pressure = valueText({ ...systolic, value: `${systolic.value}/${diastolic.value}` });
  if (components.length === 2) return pressure;
  const others = components.filter((part) => part !== systolic && part !== diastolic);
  return listed([pressure, measurement({ ...detail, components: others })]);
}

/** Both pressures, or all parts: what stands for the day where another of it holds a part only. */
export const isWhole = ({ detail }: Pick<Vital, 'detail'>): boolean =>
  holdsValue(detail) && detail.components.every(({ value }) => value !== null);
