import {
  findDiastolic,
  findPressures,
  findSystolic,
  isHalf,
} from '../../../clinical/entries/blood-pressure.ts';
import { listConditions, type MeasuredEntry } from '../../../clinical/entries/measure-conditions.ts';
import { NO_VALUE } from '../../../clinical/entries/measure.ts';
import type { Measure, ObservationDetail } from '../../../clinical/entries/observation-detail.ts';
import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { join } from './markdown.ts';
import { formatName } from './name-text.ts';
import { escapeInline, escapeValue } from './escape-markdown.ts';

/** "Supine, Left arm": under which conditions it was measured, as far as `named`, the name beside it, does not say so. */
export function formatConditions(entry: MeasuredEntry, named?: string): string {
  const conditions = listConditions(entry, named);
  return conditions.length === 0 ? '' : escapeInline(conditions.join(', '), 120);
}

type MeasuredValue = Pick<Measure, 'value' | 'unit' | 'absent'>;

/** "5.40 mmol/L", digits and unit as written, without UCUM's unit "1"; without a value: why there is none. */
export function formatValue({ value, unit, absent }: MeasuredValue): string {
  if (value === null) return absent === null ? '' : formatAbsence(absent);
  return unit === null || unit === '1' ? formatName(value) : escapeValue(`${value} ${unit}`);
}

export const formatAbsence = (reason: string): string =>
  escapeInline(reason.startsWith('no value') ? reason : `no value: ${reason}`, 80);

export const hasValue = ({ value, components }: ObservationDetail): boolean =>
  value !== null || components.some((part) => part.value !== null);

/** "5.40 mmol/L", "Verbal: 4; Motor: 5", or both; a missing value is stated once, not for each part. */
export function formatMeasurement(detail: ObservationDetail): string {
  const { components } = detail;
  if (components.length === 0) return formatValue(detail);
  if (!hasValue(detail)) {
    const reasons = new Set([detail, ...components].flatMap(({ absent }) => absent ?? []));
    return formatValue({ ...detail, absent: [...reasons].join(', ') || null });
  }
  const parts = components.map((part) => `${formatName(part.label, 80)}: ${formatComponent(part)}`);
  return join([detail.value !== null && formatValue(detail), ...parts]);
}

const formatComponent = (part: Measure): string =>
  part.value === null ? `(${escapeInline(part.absent ?? NO_VALUE, 80)})` : formatValue(part);

/** LOINC's codes of means; SNOMED CT's number of occurrences stands beside them (US Core average blood pressure). */
const AVERAGE_CODE = /^http:\/\/loinc\.org\|9660[789]-[0-9]$/;
const OCCURRENCE_COUNT = /(^|\|)246432004$/;

type Vital = Pick<StoredEntry<'vital'>, 'title' | 'code' | 'detail'>;

/** "120/80 mmHg" when both pressures are there in the same unit; else each pressure with its own. */
export function formatVital(vital: Vital): string {
  const { code, detail } = vital;
  if (detail.vital !== 'Blood Pressure') return formatMeasurement(detail);
  if (code === null || !AVERAGE_CODE.test(code)) return formatBloodPressure(vital);
  const count = detail.components.find((part) => OCCURRENCE_COUNT.test(part.code ?? ''));
  const components = detail.components.filter((part) => part !== count);
  const countSuffix = count?.value ? ` of ${escapeInline(count.value, 20)} measurements` : '';
  return `average${countSuffix}: ${formatBloodPressure({ ...vital, detail: { ...detail, components } })}`;
}

function formatBloodPressure({ title, detail }: Vital): string {
  const { components } = detail;
  if (!hasValue(detail)) return formatMeasurement(detail);
  if (components.length === 0) return `${formatName(title, 80)}: ${formatValue(detail)}`;
  const pair = findPressures(detail);
  if (pair === null) return formatHalfPressure(detail) ?? formatMeasurement(detail);
  const { systolic, diastolic } = pair;
  const pressure = formatValue({ ...systolic, value: `${systolic.value}/${diastolic.value}` });
  if (components.length === 2) return pressure;
  const others = components.filter((part) => part !== systolic && part !== diastolic);
  return join([pressure, formatMeasurement({ ...detail, components: others })]);
}

/** "144/– mm[Hg] (Diastolic: patient moved)" where one of the two was not recorded, or why it has no value is. */
function formatHalfPressure({ components }: ObservationDetail): string | null {
  const [systolic, diastolic] = [findSystolic(components), findDiastolic(components)];
  if (components.length !== 2 || !systolic || !diastolic) return null;
  if (systolic.value !== null && diastolic.value === null)
    return join([formatValue({ ...systolic, value: `${systolic.value}/–` }), formatMissing(diastolic)], ' ');
  if (systolic.value === null && diastolic.value !== null)
    return join([formatValue({ ...diastolic, value: `–/${diastolic.value}` }), formatMissing(systolic)], ' ');
  return null;
}

/** Reasons that say no more than the dash. */
const NO_REASONS = new Set<string | null>([null, NO_VALUE, 'unknown']);

const formatMissing = ({ label, absent }: Measure): string =>
  NO_REASONS.has(absent) ? '' : `(${formatName(label, 80)}: ${escapeInline(absent, 80)})`;

/** True when all parts of the measurement have a value, such as both pressures. */
const isComplete = ({ code, detail }: Pick<Vital, 'code' | 'detail'>): boolean =>
  hasValue(detail) && !isHalf({ code, detail }) && detail.components.every(({ value }) => value !== null);

/** Sorts entries that are newest first: within a day, complete measurements come before partial ones. */
export function sortCompleteFirst<V extends Pick<StoredEntry<'vital'>, 'code' | 'dayText' | 'detail'>>(
  vitals: readonly V[],
): readonly V[] {
  if (vitals.every(isComplete)) return vitals;
  return [...Map.groupBy(vitals, ({ dayText }) => dayText).values()].flatMap((day) => [
    ...day.filter(isComplete),
    ...day.filter((vital) => !isComplete(vital)),
  ]);
}
