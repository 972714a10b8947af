import { trimEnding } from '../../../platform/kernel/trim-ending.ts';

/** What a line of a letter or a report says of whose it is. */
export interface NameLine {
  name: string;
  /** YYYY or YYYY-MM-DD; null where none stands beside the name. */
  birthDate: string | null;
}

/** These name the patient wherever they stand; the others only beside a birth date. */
const PATIENT_NAME = "patient[’']?s?\\s+name|name\\s+of\\s+patient|nombre\\s+del\\s+paciente";
const NAME = `${PATIENT_NAME}|patient|paciente|name|nombre(?:\\s+y\\s+apellidos)?`;
const BIRTH =
  'd\\.?o\\.?b\\.?|date\\s+of\\s+birth|birth\\s*date|born|fecha\\s+de\\s+nacimiento|nacimiento|f\\.?\\s*nac\\.?';

/** At the beginning of a line or of a column, since prose says "the patient: …" too. */
const COLUMN = String.raw`(?:^|\t|\s{2,}|[|;,])\s*`;
const NAME_LABEL = new RegExp(`${COLUMN}(${NAME})\\s*:\\s*(.{3,200})`, 'iu');
const BIRTH_LABEL = new RegExp(`(?:^|[\\s(|;,])(?:${BIRTH})\\s*:?\\s*(.{4,40})`, 'iu');
const STRONG = new RegExp(`^(?:${PATIENT_NAME})$`, 'iu');

/** A value ends where the next column or label begins. */
const VALUE_END =
  /\t|\s{2,}|[|;(#]|\s(?=[\p{L}.]{2,24}:)|\s(?=\d)|,?\s(?:d\.?o\.?b|date of birth|birth|fecha de|mrn|sex|age|gender|sexo|edad)\b/iu;

/** Two to five words that begin with a capital letter, as names are written; "Doe, Jane" too. */
const NAME_VALUE = /^\p{Lu}[\p{L}\p{M}'’.-]*,?(?: \p{Lu}[\p{L}\p{M}'’.-]*,?){1,4}$/u;

const MAX_LINES = 2000;
const MAX_NAMED = 10;
/** How many lines below a name its birth date may stand. */
const MAX_APART = 2;

/**
 * Finds the lines by which a document of text says whose it is: "Patient name: Jane Doe", or "Name: Jane Doe" with a date of
 * birth beside it. What prose says is not read: a name in a sentence may be anybody's.
 */
export function findNameLines(text: string): NameLine[] {
  const lines = text.split(/\r?\n/u, MAX_LINES);
  const found = new Map<string, NameLine>();
  for (const [index, line] of lines.entries()) {
    const named = readNameLabel(line);
    if (named === null) continue;
    const birthDate = findBirthDate(lines.slice(index, index + 1 + MAX_APART));
    if (!named.isSure && birthDate === undefined) continue;
    found.set(`${named.name} ${birthDate}`, { name: named.name, birthDate: birthDate ?? null });
    if (found.size === MAX_NAMED) break;
  }
  return [...found.values()];
}

function readNameLabel(line: string): { name: string; isSure: boolean } | null {
  const [, label = '', rest = ''] = NAME_LABEL.exec(line.slice(0, 400)) ?? [];
  const name = trimEnding((rest.split(VALUE_END, 1)[0] ?? '').trimEnd(), ', ');
  return NAME_VALUE.test(name) ? { name, isSure: STRONG.test(label) } : null;
}

/** Returns null where a label of a birth date stands there without a date that can be read, undefined where none stands. */
function findBirthDate(lines: readonly string[]): string | null | undefined {
  for (const line of lines) {
    const value = BIRTH_LABEL.exec(line.slice(0, 400))?.[1];
    if (value !== undefined) return parseDate(value);
  }
  return undefined;
}

const MONTHS = new Map(
  [
    'jan|ene',
    'feb',
    'mar',
    'apr|abr',
    'may',
    'jun',
    'jul',
    'aug|ago',
    'sep',
    'oct',
    'nov',
    'dec|dic',
  ].flatMap((names, index) => names.split('|').map((name): [string, number] => [name, index + 1])),
);

/** Of a date whose day and month may be exchanged, the year is sure. */
function parseDate(text: string): string | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)/u.exec(text);
  if (iso) return iso[0];
  const [, one = '', other = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})/u.exec(text) ?? [];
  if (year !== '')
    return one === other || Number(one) > 12 || Number(other) > 12 ? sort(one, other, year) : year;
  const written =
    /^(?<month>\p{L}{3,10})\.? (?<day>\d{1,2}),? (?<year>\d{4})/u.exec(text) ??
    /^(?<day>\d{1,2})[ -](?:de )?(?<month>\p{L}{3,10})\.?[ -](?:de )?(?<year>\d{4})/u.exec(text);
  const month = MONTHS.get(written?.groups?.['month']?.slice(0, 3).toLowerCase() ?? '');
  return written === null || month === undefined
    ? null
    : format(written.groups?.['year'] ?? '', month, Number(written.groups?.['day']));
}

const sort = (one: string, other: string, year: string): string | null =>
  Number(one) > 12 ? format(year, Number(other), Number(one)) : format(year, Number(one), Number(other));

const format = (year: string, month: number, day: number): string | null =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31
    ? `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
    : null;
