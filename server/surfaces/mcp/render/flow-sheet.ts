import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { formatDate, formatDateTime } from './date-text.ts';
import { buildFactTable, join, type Fact, type FactTable } from './markdown.ts';
import { listSources, type Provenance } from './provenance.ts';

/** One value of a flow sheet; all texts are safe Markdown. */
export interface Reading {
  name: string;
  value: string;
  /** '' without one. */
  unit: string;
  range: string;
  /** How and where it was measured: "Supine, Left arm". */
  conditions: string;
  /** Flag, status, note. */
  remarks: readonly string[];
  /** What it was taken from and belongs to, '' without; readings of another setting stand in another row. */
  setting: string;
  settingKey: string;
  entry: Provenance & Pick<StoredEntry, 'dayText' | 'time' | 'dateFrom'>;
  /** The entries of both pressures, where each has one of its own. */
  halves?: readonly Reading['entry'][];
}

/** More columns than this are no sheet that a reader can follow. */
const MAX_COLUMNS = 12;
/** Where fewer of the cells have a value, a list of the values is shorter. */
const MIN_FILLED = 0.34;

interface SheetOptions {
  /** What a row of a list is: "Test". */
  noun: string;
  /** Names in the order of the columns; others follow. */
  columnOrder: readonly string[];
}

/**
 * Builds the tables of what was measured, newest first as given: one row a moment and one column a measurement, or, where
 * that would be mostly empty, a list by name. A unit or range that all numbers of a column have stands in its heading. A
 * panel of more columns than a reader can follow is several sheets: as a list its 23 tests named each moment 23 times.
 */
export function buildReadingTables(
  readings: readonly Reading[],
  { noun, columnOrder }: SheetOptions,
): FactTable[] {
  const byName = Map.groupBy(readings, ({ name }) => name);
  const names = [...new Set([...columnOrder.filter((name) => byName.has(name)), ...byName.keys()])];
  const getReadings = (some: readonly string[]): Reading[] => some.flatMap((name) => byName.get(name) ?? []);
  if (readings.length < MIN_FILLED * names.length * buildRows(readings).length)
    return [buildList(getReadings(names), noun)];
  return splitEvenly(names, MAX_COLUMNS).map((some) => {
    const columns = some.map((name) => buildColumn(name, byName.get(name) ?? []));
    return buildSheet(columns, buildRows(readings.filter(({ name }) => some.includes(name))));
  });
}

/** Splits a list into as few parts of at most `length` as there can be, each of about the same length. */
function splitEvenly<T>(all: readonly T[], length: number): T[][] {
  const parts = Math.ceil(all.length / length);
  const size = Math.ceil(all.length / parts);
  return Array.from({ length: parts }, (_, part) => all.slice(part * size, (part + 1) * size));
}

interface Column {
  name: string;
  /** What every number of the column has; else '', and each value has its own. */
  unit: string;
  range: string;
  conditions: string;
}

function buildColumn(name: string, readings: readonly Reading[]): Column {
  return {
    name,
    unit: findShared(listStated(readings, ({ unit }) => unit)),
    range: findShared(listStated(readings, ({ range }) => range)),
    conditions: readings.length > 1 ? findShared(readings.map(({ conditions }) => conditions)) : '',
  };
}

/**
 * Lists what a heading would say of the values below it. Of a number without a unit that is none: 5.6 in a column of mg/dL
 * would read as 5.6 mg/dL, and may be mmol/L. Words ("Negative") have neither unit nor range.
 */
const listStated = (readings: readonly Reading[], getText: (reading: Reading) => string): string[] =>
  readings.flatMap((reading) => {
    const text = getText(reading);
    return text === '' && !/\p{N}/u.test(reading.value) ? [] : [text];
  });

function findShared(texts: readonly string[]): string {
  const [first = ''] = texts;
  return texts.every((text) => text === first) ? first : '';
}

/** The values of one moment from the same sources, by name; of several of one name, each further one begins a row. */
type MomentRow = Map<string, Reading[]>;

function buildRows(readings: readonly Reading[]): MomentRow[] {
  const moments = Map.groupBy(readings, ({ entry, setting, settingKey }) =>
    [entry.dayText, entry.time, setting, settingKey, ...listSources([entry]).toSorted()].join('\n'),
  );
  return [...moments.values()].flatMap((moment) => {
    const rows: MomentRow[] = [];
    for (const reading of moment) {
      const row = rows.find((each) => isFree(each.get(reading.name), reading));
      const target = row ?? new Map<string, Reading[]>();
      if (row === undefined) rows.push(target);
      target.set(reading.name, [...(target.get(reading.name) ?? []), reading]);
    }
    return rows;
  });
}

/** A cell is free for a value that it holds already: the record has it twice. */
const isFree = (cell: readonly Reading[] | undefined, reading: Reading): boolean =>
  cell === undefined || toText(cell[0] as Reading) === toText(reading);

const toText = ({ value, unit, range, conditions, remarks }: Reading): string =>
  [value, unit, range, conditions, ...remarks].join('\n');

function buildSheet(columns: readonly Column[], rows: readonly MomentRow[]): FactTable {
  const headings = columns.map(({ name, unit, range, conditions }) => {
    const note = join([unit, stripUnit(range, unit), conditions]);
    return note === '' ? name : `${name} (${note})`;
  });
  const formatMoment = createMomentFormat(rows.flatMap((row) => [...row.values()].flat()));
  const toFact = (row: MomentRow): Fact => {
    const cells = columns.map((column) => {
      const [reading] = row.get(column.name) ?? [];
      return reading === undefined ? '' : formatCell(reading, column);
    });
    const all = [...row.values()].flat().flatMap(({ entry, halves }) => halves ?? [entry]);
    const entries = [...new Map(all.map((entry) => [entry.reference, entry])).values()];
    const [first] = entries;
    const [reading] = [...row.values()].flat();
    return {
      cells: [first === undefined ? '' : formatMoment(first), ...cells, reading?.setting ?? ''],
      entries,
    };
  };
  return buildFactTable(['Date', ...headings, 'Of'], rows.map(toFact));
}

function formatCell({ value, unit, range, conditions, remarks }: Reading, column: Column): string {
  const own = join([value, unit === column.unit ? '' : unit], ' ');
  const notes = [
    conditions === column.conditions ? '' : conditions,
    range === '' || range === column.range
      ? ''
      : `range ${stripUnit(range, column.unit === '' ? unit : column.unit)}`,
    ...remarks,
  ];
  const note = join(notes);
  return note === '' ? own : `${own} (${note})`;
}

/** "70 to 99 mg/dL" beside "mg/dL" is "70 to 99". */
const stripUnit = (range: string, unit: string): string =>
  unit !== '' && range.endsWith(` ${unit}`) ? range.slice(0, -unit.length - 1) : range;

/** The hour is of use only where the table has another moment of the day. */
function createMomentFormat(readings: readonly Reading[]): (entry: Reading['entry']) => string {
  const times = Map.groupBy(readings, ({ entry }) => entry.dayText);
  return (entry) => {
    const first = times.get(entry.dayText)?.[0]?.entry.time ?? null;
    const isAlone = times.get(entry.dayText)?.every((each) => each.entry.time === first) ?? true;
    return isAlone ? formatDate(entry) : formatDateTime(entry);
  };
}

function buildList(readings: readonly Reading[], noun: string): FactTable {
  const formatMoment = createMomentFormat(readings);
  return buildFactTable(
    [noun, 'Date', 'Result', 'Unit', 'Range', 'Remarks', 'Of'],
    readings.map(({ name, value, unit, range, conditions, remarks, setting, entry, halves }) => ({
      cells: [
        name,
        formatMoment(entry),
        value,
        unit,
        stripUnit(range, unit),
        join([conditions, ...remarks]),
        setting,
      ],
      entries: halves ?? [entry],
    })),
  );
}
