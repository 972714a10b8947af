import { toIsoDay, type DateOrder } from './birth-dates.ts';
import { checkValues, type Fault, type Values } from './check-values.ts';
import { FIELDS, foldText, isHeading, matchColumns, type Field } from './fields.ts';

/** ready: can be enrolled; faulty: a cell must be mended; twice: a line above has the person; enrolled: the project has them. */
export type RowState = 'ready' | 'faulty' | 'twice' | 'enrolled' | 'imported';

export interface SheetRow {
  /** The line of the file, from 1. */
  line: number;
  values: Values;
  faults: readonly Fault[];
  state: RowState;
  /** The id of a person who is enrolled. */
  referenceId: string | null;
  /** The service has said how the person stands. */
  isAsked: boolean;
}

export type SheetCounts = Readonly<Record<RowState, number>>;

/** The table of a file, its first row as headings where it is one. */
export function openSheet(table: readonly (readonly string[])[]): {
  headers: string[];
  body: string[][];
  firstLine: number;
} {
  const [first = []] = table;
  const hasHeading = isHeading(first);
  const width = Math.max(0, ...table.slice(0, 100).map((row) => row.length));
  const headers = Array.from({ length: width }, (_, index) => (hasHeading ? (first[index] ?? '') : ''));
  return {
    headers,
    body: (hasHeading ? table.slice(1) : table) as string[][],
    firstLine: hasHeading ? 2 : 1,
  };
}

export const guessColumns = (headers: readonly string[]): (Field | null)[] => matchColumns(headers);

/** How many rows are done before the page gets its turn. */
const CHUNK = 4000;

/** Lets the page answer to keys and pointers. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Builds the rows of a table and checks all of them, some thousand at a time; null: it was stopped. */
export async function buildRows(
  body: readonly (readonly string[])[],
  columns: readonly (Field | null)[],
  {
    firstLine,
    signal,
    onProgress,
  }: { firstLine: number; signal: AbortSignal; onProgress: (done: number) => void },
): Promise<SheetRow[] | null> {
  const places = FIELDS.map((field) => [field, columns.indexOf(field)] as const);
  const rows: SheetRow[] = [];
  for (let start = 0; start < body.length; start += CHUNK) {
    for (let index = start; index < Math.min(start + CHUNK, body.length); index++) {
      const cells = body[index] ?? [];
      if (cells.every((cell) => cell.trim() === '')) continue;
      const values = Object.fromEntries(
        places.map(([field, place]) => [field, (cells[place] ?? '').trim()]),
      ) as Record<Field, string>;
      rows.push(toRow({ line: firstLine + index, values }));
    }
    onProgress(Math.min(start + CHUNK, body.length));
    await pause();
    if (signal.aborted) return null;
  }
  return markTwice(rows);
}

function toRow({ line, values }: Pick<SheetRow, 'line' | 'values'>): SheetRow {
  const faults = checkValues(values);
  const state = faults.length > 0 ? 'faulty' : 'ready';
  return { line, values, faults, state, referenceId: null, isAsked: false };
}

/** Whoever stands above keeps their place: below, they are there again, and somebody else needs an address of their own. */
function markTwice(rows: readonly SheetRow[]): SheetRow[] {
  const first = new Map<string, SheetRow>();
  return rows.map((marked) => {
    const row = unmark(marked);
    if (row.state === 'faulty') return row;
    const email = row.values.email.toLowerCase();
    const above = first.get(email);
    if (above === undefined) {
      first.set(email, row);
      return row;
    }
    if (row.state === 'imported') return row;
    if (isSamePerson(above.values, row.values)) return { ...row, state: 'twice' };
    return { ...row, state: 'faulty', faults: [...row.faults, { field: 'email', code: 'sharedAddress' }] };
  });
}

/** What the lines above make of a row is found anew. */
function unmark(row: SheetRow): SheetRow {
  if (row.state === 'twice') return { ...row, state: 'ready' };
  const faults = row.faults.filter(({ code }) => code !== 'sharedAddress');
  return faults.length === row.faults.length ? row : { ...row, faults, state: 'ready' };
}

/** What differs between two people of one address. */
const DISTINCT: readonly Field[] = ['firstName', 'lastName', 'dateOfBirth', 'externalId'];

/** True where nothing that both lines say differs. */
const isSamePerson = (one: Values, other: Values): boolean =>
  DISTINCT.every(
    (field) => one[field] === '' || other[field] === '' || foldText(one[field]) === foldText(other[field]),
  );

/** Writes another value into a cell. */
export function editCell(
  rows: readonly SheetRow[],
  { line, field, value }: { line: number; field: Field; value: string },
): SheetRow[] {
  return markTwice(
    rows.map((row) =>
      row.line === line && row.state !== 'imported'
        ? toRow({ line, values: { ...row.values, [field]: value.trim() } })
        : row,
    ),
  );
}

/** Writes the days of birth of all rows as ISO where they can be read in this order. */
export function convertDates(rows: readonly SheetRow[], order: DateOrder): SheetRow[] {
  return markTwice(
    rows.map((row) => {
      const iso =
        row.faults.some(({ code }) => code === 'dateForm') && toIsoDay(row.values.dateOfBirth, order);
      if (!iso) return row;
      return toRow({ line: row.line, values: { ...row.values, dateOfBirth: iso } });
    }),
  );
}

export function countRows(rows: readonly SheetRow[]): SheetCounts {
  const counts = { ready: 0, faulty: 0, twice: 0, enrolled: 0, imported: 0 };
  for (const { state } of rows) counts[state]++;
  return counts;
}

/** What the service said of the people of a chunk, by their place in it. */
export interface ChunkResult {
  errors: readonly { patientIndex: number }[];
  duplicates: readonly { patientIndex: number; referenceId: string | null }[];
  successfulPatients: readonly { patientIndex: number; referenceId: string | null }[];
  warnings?: readonly { patientIndex: number }[] | undefined;
}

/** Applies the service's answer for a chunk of lines; `isDry`: nobody was enrolled by it. */
export function applyResult(
  rows: readonly SheetRow[],
  lines: readonly number[],
  { result, isDry }: { result: ChunkResult; isDry: boolean },
): SheetRow[] {
  const changes = new Map<number, Partial<SheetRow>>();
  const note = (index: number, change: Partial<SheetRow>) => {
    const line = lines[index];
    if (line !== undefined) changes.set(line, { ...change, isAsked: true });
  };
  for (const { patientIndex } of result.errors)
    note(patientIndex, { state: 'faulty', faults: [{ field: 'email', code: 'refused' }] });
  for (const { patientIndex, referenceId } of result.duplicates)
    note(patientIndex, { state: 'enrolled', referenceId });
  for (const { patientIndex, referenceId } of result.successfulPatients)
    note(patientIndex, isDry ? {} : { state: 'imported', referenceId });
  // It may be enrolled as it is: only the cell says what is likely wrong.
  for (const { patientIndex } of result.warnings ?? [])
    note(patientIndex, {
      ...changes.get(lines[patientIndex] ?? -1),
      faults: [{ field: 'externalId', code: 'sharedId' }],
    });
  return rows.map((row) => {
    const change = changes.get(row.line);
    return change === undefined ? row : { ...row, ...change };
  });
}

/** Fewer than the 1,000 that a call takes: progress is seen, and a lost answer costs little. */
export const CHUNK_SIZE = 500;

/** The next people to ask about, or to enroll. */
export const nextChunk = (rows: readonly SheetRow[], { isDry }: { isDry: boolean }): SheetRow[] => {
  const chunk: SheetRow[] = [];
  for (const row of rows) {
    if (row.state !== 'ready' || (isDry && row.isAsked)) continue;
    chunk.push(row);
    if (chunk.length === CHUNK_SIZE) break;
  }
  return chunk;
};

/** The outcome of every line, as a table. */
export const buildResultTable = (rows: readonly SheetRow[]): string[][] => [
  ['line', 'state', 'referenceId', ...FIELDS],
  ...rows.map((row) => [
    String(row.line),
    row.state,
    row.referenceId ?? '',
    ...FIELDS.map((field) => row.values[field]),
  ]),
];
