import { FIELDS, type Field } from './fields.ts';

const STORAGE_KEY = 'chartgate-console-import';
const MAX_REMEMBERED = 20;

type Columns = readonly (Field | null)[];

/** By the headings of a file: what each of its columns was said to hold. */
type Remembered = readonly (readonly [headings: string, columns: Columns])[];

const toKey = (headers: readonly string[]): string => JSON.stringify(headers.map((header) => header.trim()));

/** A file without headings is like any other. */
const isNamed = (headers: readonly string[]): boolean => headers.some((header) => header.trim() !== '');

/** What the columns of a file with these headings held the last time, in this browser; null: there was none. */
export function recallColumns(headers: readonly string[]): (Field | null)[] | null {
  if (!isNamed(headers)) return null;
  const found = load().find(([headings]) => headings === toKey(headers))?.[1];
  return found?.length === headers.length ? [...found] : null;
}

/** Keeps what was chosen for these headings, and nothing of the rows below them. */
export function rememberColumns(headers: readonly string[], columns: Columns): void {
  if (!isNamed(headers)) return;
  const key = toKey(headers);
  const others = load().filter(([headings]) => headings !== key);
  try {
    const kept: Remembered = [[key, columns] as const, ...others].slice(0, MAX_REMEMBERED);
    localStorage.setItem(STORAGE_KEY, JSON.stringify(kept));
  } catch {
    // A browser may refuse its storage: the columns are guessed the next time.
  }
}

const isColumns = (columns: unknown): columns is Columns =>
  Array.isArray(columns) && columns.every((field) => field === null || FIELDS.includes(field as Field));

// A browser may refuse its storage altogether, and hold what somebody else wrote.
function load(): Remembered {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter(
      (entry): entry is Remembered[number] =>
        Array.isArray(entry) && typeof entry[0] === 'string' && isColumns(entry[1]),
    );
  } catch {
    return [];
  }
}
