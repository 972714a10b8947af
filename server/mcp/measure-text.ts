import type { Measure, ObservationDetail } from '../records/entry.ts';
import type { Recorded } from '../records/clinical.sql.ts';
import { listed } from './markdown.ts';
import { inline } from './record-text.ts';

type Value = Pick<Measure, 'value' | 'unit' | 'absent'>;

/** "5.40 mmol/L", digits and unit as written; UCUM's "1" says nothing. In parentheses: why there is no value. */
export function valueText({ value, unit, absent }: Value): string {
  if (value === null) return absent === null ? '' : `(${inline(absent, 80)})`;
  return inline(unit === null || unit === '1' ? value : `${value} ${unit}`);
}

/** "5.40 mmol/L", "Verbal: 4; Motor: 5", or both. */
export function measurement(detail: ObservationDetail): string {
  const parts = detail.components.map((part) => `${inline(part.label, 80)}: ${valueText(part)}`);
  return listed([valueText(detail), ...parts]);
}

const SYSTOLIC = /systolic/i;
const DIASTOLIC = /diastolic/i;

/** "120/80 mmHg" where both are there and their units agree; else each with its own. */
export function vitalText({ title, detail }: Recorded<'vital'>): string {
  const systolic = detail.components.find(({ label }) => SYSTOLIC.test(label));
  const diastolic = detail.components.find(({ label }) => DIASTOLIC.test(label));
  if (detail.vital !== 'Blood Pressure') return measurement(detail);
  if (detail.components.length === 0) return `${inline(title, 80)}: ${valueText(detail)}`;
  if (!systolic?.value || !diastolic?.value || systolic.unit !== diastolic.unit) return measurement(detail);
  const others = detail.components.filter((part) => part !== systolic && part !== diastolic);
  const pressure = valueText({ ...systolic, value: `${systolic.value}/${diastolic.value}` });
  return listed([pressure, others.length > 0 && measurement({ ...detail, components: others })]);
}
