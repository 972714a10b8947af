import { isModified } from '../../../clinical/entries/modifiers.ts';
import { findPressures, type Paired } from '../../../clinical/entries/blood-pressure.ts';
import { isWholePressure } from '../../../clinical/entries/vital-signs.ts';
import type { Measure, ObservationDetail } from '../../../clinical/entries/observation-detail.ts';
import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { formatFactText } from './context-text.ts';
import { formatPeriod } from './date-text.ts';
import { escapeInline, escapeValue } from './escape-markdown.ts';
import { formatFlag } from './flag-text.ts';
import type { Reading } from './flow-sheet.ts';
import { join } from './markdown.ts';
import { formatConditions, formatValue, formatVital, hasValue } from './measure-text.ts';
import { formatName } from './name-text.ts';
import { formatObservationStatus } from './status-text.ts';

/** Answers of a questionnaire are laid out like results of a panel. */
type Lab = StoredEntry<'lab' | 'survey'>;
type Vital = StoredEntry<'vital'>;

/** Remarks on an observation as a whole: an unusual status, how long it took, and its note. */
const formatRemarks = (entry: Lab | Vital): string[] =>
  [
    formatObservationStatus(entry),
    entry.endText === null || entry.endText === entry.dayText ? '' : formatPeriod(entry),
    escapeValue(entry.detail.note),
  ].filter(Boolean);

type Measured = Omit<Measure, 'label' | 'code'>;

/** The value without its unit, which may stand in the heading; without a value, why there is none. */
function splitValue(measure: Measured): Pick<Reading, 'value' | 'unit' | 'range'> {
  const { value, unit, referenceRange } = measure;
  const isBare = value === null || unit === null || unit === '1';
  return {
    value: isBare ? formatValue(measure) : escapeValue(value),
    unit: isBare ? '' : escapeInline(unit, 40),
    range: escapeInline(referenceRange, 120),
  };
}

/** Facts of the panels that list a result, the outermost first: the culture before the organism. */
const listPanels = ({ context }: Pick<Lab, 'context'>) =>
  (context ?? []).filter(({ role }) => role === 'panel').sort((one, other) => other.level - one.level);

/**
 * "Blood culture: Escherichia coli", the panels that list a result; of one with components its own name; else null. A
 * report that is called like its one result is no panel: each such test would have a table of its own.
 */
export function getPanelName(lab: Lab): string | null {
  const names = [...new Set(listPanels(lab).map(({ title }) => title))].filter((name) => name !== lab.title);
  if (names.length > 0) return names.map((name) => formatName(name, 120)).join(': ');
  return lab.detail.components.length > 0 ? formatName(lab.title, 120) : null;
}

/** What a result was taken from and what its panels say of themselves, for all results of the same. */
function describeSetting(lab: Lab | Vital): Pick<Reading, 'setting' | 'settingKey'> {
  const specimens = (lab.context ?? []).filter(({ role }) => role === 'specimen');
  const panels = listPanels(lab);
  const specimen =
    specimens.length > 0
      ? join(specimens.map((fact) => join([formatName(fact.title, 80), formatFactText(fact, 200)], ', ')))
      : escapeInline(lab.detail.specimen ?? null, 80);
  return {
    settingKey: panels.map(({ from }) => from).join(' '),
    setting: join([
      specimen === '' ? '' : `specimen: ${specimen}`,
      ...panels.map((fact) => formatFactText(fact, 300)),
    ]),
  };
}

const NO_RESULTS = 'its results are not in the part of the record that is shown';

/** The readings of a laboratory result: its value and each component, which has its own range and flag. */
export function toLabReadings(lab: Lab): Reading[] {
  const { detail, title } = lab;
  const remarks = formatRemarks(lab);
  const setting = describeSetting(lab);
  const conditions = formatConditions(lab);
  const isAlone = detail.members !== undefined && detail.value === null && detail.absent === null;
  const toReading = (name: string, measure: Measured): Reading => ({
    name,
    ...splitValue(measure),
    ...setting,
    conditions,
    remarks: [formatFlag(measure), ...remarks].filter(Boolean),
    entry: lab,
  });
  const isOwnPanel = listPanels(lab).length === 0;
  const parts = detail.components.map((part) =>
    toReading(isOwnPanel ? formatName(part.label) : `${formatName(title)}: ${formatName(part.label)}`, part),
  );
  if (detail.value === null && parts.length > 0) return parts;
  const own = toReading(formatName(title), detail);
  return [isAlone ? { ...own, value: NO_RESULTS } : own, ...parts];
}

/** The reading of a vital sign; both pressures are one value, also as a text: "128/76". */
export function toVitalReading(vital: Paired<Vital>): Reading {
  const { detail, title, code, halves } = vital;
  const isLonePressure =
    detail.vital === 'Blood Pressure' && detail.components.length === 0 && !isWholePressure(code);
  const isTitled = detail.vital === null || isLonePressure || isModified(vital);
  return {
    name: isTitled || detail.vital === null ? formatName(title) : detail.vital,
    ...(halves !== undefined && { halves }),
    ...splitVital(vital),
    conditions: formatConditions(vital, isTitled ? title : (detail.vital ?? title)),
    setting: '',
    settingKey: '',
    remarks: [...formatFlags(detail), ...formatRemarks(vital)].filter(Boolean),
    entry: vital,
  };
}

function splitVital(vital: Vital): Pick<Reading, 'value' | 'unit' | 'range'> {
  const { detail } = vital;
  if (detail.components.length === 0) return splitValue(detail);
  const pair = findPressures(detail);
  const text = formatVital(vital);
  const whole = { value: text, unit: '', range: escapeInline(detail.referenceRange, 120) };
  if (pair === null || !hasValue(detail)) return whole;
  const unit = pair.systolic.unit === null ? '' : escapeInline(pair.systolic.unit, 40);
  const pressure = `${escapeValue(pair.systolic.value)}/${escapeValue(pair.diastolic.value)}`;
  return text === `${pressure} ${unit}`.trim() ? { ...whole, value: pressure, unit } : whole;
}

/** The flag of the whole, and of the components that have one, with the range they were compared with. */
const formatFlags = (detail: ObservationDetail): string[] => [
  formatFlag(detail),
  ...detail.components.map((part) => {
    const flag = formatFlag(part);
    const range = part.referenceRange === null ? '' : `range ${escapeInline(part.referenceRange, 120)}`;
    const remark = [flag, range].filter(Boolean).join(', ');
    return remark === '' ? '' : `${formatName(part.label, 80)}: ${remark}`;
  }),
];
