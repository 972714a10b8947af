/** The tools' answers taken apart again: that this is possible is what an agent's reader of them relies on. */

export interface Row {
  section: string;
  cells: ReadonlyMap<string, string>;
  /** The short `Type/id` of each entry that is named, of what several sources hold the one that is shown. */
  references: string[];
  /** Those counted only: 11 of "Condition/a (12)". */
  unnamed: number;
}

export interface LastLine {
  hasMoreData: boolean;
  from: string;
  until: string;
  nextBeforeDate: string | null;
}

const LAST_LINE =
  /^hasMoreData: (true|false) \| dateRange: (\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)(?: \| nextBeforeDate: (\d{4}-\d\d-\d\d))?$/;

export function parseLastLine(text: string): LastLine {
  const match = LAST_LINE.exec(text.slice(text.lastIndexOf('\n') + 1));
  if (!match) throw new Error(`no metadata line at the end: ${text.slice(-200)}`);
  const [, more, from, until, next] = match as unknown as [string, string, string, string, string?];
  return { hasMoreData: more === 'true', from, until, nextBeforeDate: next ?? null };
}

const REFERENCE = /^[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/;

/** Every row of every table; throws at a line that is neither heading, table, list nor sentence. */
export function parseRows(text: string): Row[] {
  const rows: Row[] = [];
  let section = '';
  let headings: string[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('## ')) section = line.slice(3);
    if (!line.startsWith('|')) headings = [];
    else if (headings.length === 0) headings = splitCells(line);
    else if (/^\|(-+\|)+$/.test(line)) continue;
    else rows.push(parseRow({ section, headings, line, at: index + 1 }));
  }
  return rows;
}

function parseRow({
  section,
  headings,
  line,
  at,
}: {
  section: string;
  headings: string[];
  line: string;
  at: number;
}): Row {
  const cells = splitCells(line);
  if (cells.length !== headings.length)
    throw new Error(`line ${at} has ${cells.length} cells, not ${headings.length}: ${line}`);
  const named = new Map(headings.map((head, column) => [head, cells[column] as string]));
  // "Condition/a (12; also Condition/b, Condition/c), Condition/d"
  const groups = (named.get('Reference') ?? '').split(/, (?![^(]*\))/).filter(Boolean);
  let unnamed = 0;
  const references = groups.map((group) => {
    const [, reference = '', count] =
      /^(\S+?)(?: \((?:([\d,]+)(?:; )?)?(?:also [^()]+)?\))?$/.exec(group) ?? [];
    if (!REFERENCE.test(reference)) throw new Error(`line ${at} has no reference: ${line}`);
    unnamed += count === undefined ? 0 : Number(count.replaceAll(',', '')) - 1;
    return reference;
  });
  return { section, cells: named, references, unnamed };
}

const splitCells = (line: string): string[] =>
  line
    .replace(/^\| | \|$/g, '')
    .split(/(?<!\\) \| /)
    .map((cell) => cell.trim());

/** How many entries rows show; what has several rows (a result with components) counts once. */
export function countEntries(rows: readonly Row[]): number {
  const named = new Set(rows.flatMap(({ references }) => references));
  return rows.reduce((sum, { unnamed }) => sum + unnamed, named.size);
}

/**
 * An answer without the words of notes, which are fenced (a record may well hold the word "null" there), and without the calls that it
 * names, whose arguments are JSON.
 */
export const removeQuoted = (text: string): string =>
  text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '').replace(/^All of it: get_.*$/gm, '');

/** What no answer may hold: the traces of values that were not recorded. */
export const LEAKED_VALUES =
  /\bundefined\b|\bnull\b|\bNaN\b|\[object |\{"|"\}|":\s*["{[]|entered-in-error|Invalid Date/;
