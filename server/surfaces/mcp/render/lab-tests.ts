import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import type { Measure } from '../../../clinical/entries/observation-detail.ts';
import { toSearchable, type TestFilter } from '../../../clinical/queries/lab-tests.ts';
import { formatDate } from './date-text.ts';
import { escapeInline } from './escape-markdown.ts';
import { buildReadingTables, type Reading } from './flow-sheet.ts';
import { pluralize } from './format-number.ts';
import { join, renderSection, type Block } from './markdown.ts';
import { formatConditions, formatValue } from './measure-text.ts';
import { formatName } from './name-text.ts';
import { formatStatusRemark, isValid } from './observation-status.ts';
import { toLabReadings } from './readings.ts';

type Lab = StoredEntry<'lab'>;

export const OTHER_NAMES_HINT = 'A test may have another name in this record; `search` finds it by words.';

/** A test as a caller names it. */
export interface AskedTest {
  name: string;
  filter: TestFilter;
}

/** Renders one table for each test that was asked for and found, with its extremes, and names the ones not found. */
export function renderLabTests(labs: readonly Lab[], tests: readonly AskedTest[]): Block {
  const measured = labs.flatMap(listMeasured);
  const byTest = [...Map.groupBy(measured, ({ key }) => key).values()];
  const asked = byTest.filter(
    ([first]) => first !== undefined && tests.some(({ filter }) => isAsked(first, filter)),
  );
  const missing = tests.filter(({ filter }) => !measured.some((each) => isAsked(each, filter)));
  return [
    ...asked.map(renderTest),
    missing.length === 0
      ? null
      : `Not found in this window: ${missing.map(({ name }) => `“${escapeInline(name, 80)}”`).join(', ')}. ${OTHER_NAMES_HINT}`,
  ];
}

/** One measured value: of the result itself, or of one of its components. */
interface Measured {
  key: string;
  name: string;
  codes: readonly (string | null)[];
  names: readonly string[];
  lab: Lab;
  measure: Omit<Measure, 'label' | 'code'>;
  reading: Reading;
}

function listMeasured(lab: Lab): Measured[] {
  const { detail, title, code, groupKey, context } = lab;
  const panels = (context ?? []).flatMap(({ role, title }) => (role === 'panel' ? title : []));
  const readings = toLabReadings(lab);
  const parts = detail.components.map((part, index) => ({
    key: part.code ?? `${groupKey} ${part.label}`,
    name: `${formatName(title)}: ${formatName(part.label)}`,
    codes: [part.code, code],
    names: [part.label, title, ...panels],
    lab,
    measure: part,
    reading: readings.at(index - detail.components.length) as Reading,
  }));
  const own = {
    key: groupKey,
    name: formatName(title),
    codes: [code],
    names: [title, ...panels],
    lab,
    measure: detail,
    reading: readings[0] as Reading,
  };
  return detail.value === null && parts.length > 0 ? parts : [own, ...parts];
}

function isAsked({ codes, names }: Measured, filter: TestFilter): boolean {
  return (
    codes.some((code) => code !== null && filter.codes.some((each) => code.endsWith(`|${each}`))) ||
    names.some((name) => filter.names.some((each) => toSearchable(name).includes(each)))
  );
}

function renderTest(values: readonly Measured[]): Block {
  const [first] = values;
  if (first === undefined) return null;
  // In a table of one test the column needs no name.
  const readings = values.map(({ reading }) => ({ ...reading, name: 'Result' }));
  return renderSection(join([first.name, formatCode(first.codes[0] ?? null)], ' · '), [
    renderCourse(values),
    buildReadingTables(readings, { noun: 'Test', columnOrder: [] }),
  ]);
}

/** "LOINC 4548-4" */
function formatCode(code: string | null): string {
  const [, loinc] = /^http:\/\/loinc\.org\|(.+)$/.exec(code ?? '') ?? [];
  return loinc === undefined ? '' : `LOINC ${escapeInline(loinc, 20)}`;
}

/** A value of a course; under which conditions it was measured, where those of others differ. */
type CourseValue = Measured & { conditions: string };

/** Marks values with their conditions where these are not the same for all. */
function addConditions(values: readonly Measured[]): CourseValue[] {
  const all = values.map((each) => ({ ...each, conditions: formatConditions(each.lab) }));
  const isAlike = new Set(all.map(({ conditions }) => conditions)).size === 1;
  return isAlike ? all.map((each) => ({ ...each, conditions: '' })) : all;
}

/** "besides 1 cancelled, 2 without a value": what the course leaves out. */
function formatLeftOut(values: readonly Measured[]): string {
  const cancelled = values.filter(({ lab }) => !isValid(lab)).length;
  const missing = values.filter(({ lab, measure }) => isValid(lab) && measure.value === null).length;
  const parts = [cancelled > 0 && `${cancelled} cancelled`, missing > 0 && `${missing} without a value`];
  const text = join(parts, ', ');
  return text === '' ? '' : ` besides ${text}`;
}

/** "3 values, 1 of them without a date". */
function formatValueCount(counted: readonly Measured[], dated: readonly Measured[]): string {
  const undated = counted.length - dated.length;
  const all = pluralize(counted.length, 'value');
  return undated === 0 ? all : `${all}, ${undated} of them without a date`;
}

/**
 * "59 values: first 6.1 % (2001-02-03), last 5.4 % (2020-01-02), lowest 5.0 % (2010-05-05), highest 7.9 % (2005-01-01)". A
 * cancelled result is none of them; of any other unusual status it is said. One without a date may be the lowest or highest, as
 * in `search`, and is neither the first nor the last.
 */
function renderCourse(values: readonly Measured[]): string | null {
  const counted = addConditions(values.filter(({ lab, measure }) => isValid(lab) && measure.value !== null));
  if (counted.length < 2) return null;
  const dated = counted.filter(({ lab }) => lab.day !== null);
  const [last] = dated;
  const first = dated.at(-1);
  const parts = [
    ...(first !== undefined && last !== undefined && dated.length > 1
      ? [`first ${formatAt(first)}`, `last ${formatAt(last)}`]
      : []),
    ...listExtremes(counted),
  ];
  return parts.length === 0
    ? null
    : `${formatValueCount(counted, dated)}${formatLeftOut(values)}: ${parts.join(', ')}.`;
}

function listExtremes(counted: readonly CourseValue[]): string[] {
  // A number without a unit is of a unit that nobody knows; words have none.
  const measured = counted.filter(
    ({ measure }) => measure.unit !== null || /\p{N}/u.test(measure.value ?? ''),
  );
  if (new Set(measured.map(({ measure }) => measure.unit)).size > 1)
    return ['in several units, so that lowest and highest are not told'];
  const numbers = counted.filter(({ measure }) => toNumber(measure) !== null);
  if (numbers.length < 2) return [];
  return [
    `lowest ${formatAt(numbers.reduce((low, each) => (getNumber(each) < getNumber(low) ? each : low)))}`,
    `highest ${formatAt(numbers.reduce((high, each) => (getNumber(each) > getNumber(high) ? each : high)))}`,
  ];
}

const formatAt = ({ lab, measure, conditions }: CourseValue): string =>
  `${formatValue(measure)} (${join([formatDate(lab), conditions, formatStatusRemark(lab)])})`;

const toNumber = ({ value }: Measured['measure']): number | null =>
  value !== null && /^-?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : null;

const getNumber = ({ measure }: Measured): number => toNumber(measure) ?? 0;
