import { trimEnding } from '../../../platform/kernel/trim-ending.ts';

/** What a line of a letter or a report says of whose it is. */
export interface NameLine {
  name: string;
  /** YYYY or YYYY-MM-DD; null where none stands beside the name. */
  birthDate: string | null;
}

/** These name the patient wherever they stand; the others only beside a birth date. */
const PATIENT_NAME =
  "(?:patient[’']?s?|pt\\.?)\\s+(?:full\\s+)?name|name\\s+of\\s+patient|nombre\\s+del\\s+paciente";
const PATIENT = `${PATIENT_NAME}|patient|pt\\.?|paciente`;
const NAME = `${PATIENT}|name|nombre(?:\\s+y\\s+apellidos)?`;
const BIRTH =
  'd\\.?o\\.?b\\.?|date\\s+of\\s+birth|birth\\s*date|born|fecha\\s+de\\s+nacimiento|nacimiento|f\\.?\\s*nac\\.?';
/** "(last, first)", "(MM/DD/YYYY)" */
const FORM = String.raw`(?:\s*\([^()]{0,30}\))?`;

/** At the beginning of a line or of a column, since prose says "the patient: …" too. */
const COLUMN = String.raw`(?:^|\t|\s{2,}|[|;,])\s*`;
/** What stands between a label and its value on one line, be it in the next cell of a table. */
const NAME_LABEL = new RegExp(String.raw`${COLUMN}(${NAME})${FORM}\s*:[\s|]*(\S.{2,199})`, 'iu');
const BIRTH_LABEL = new RegExp(String.raw`(?:^|[\s(|;,])(?:${BIRTH})${FORM}\s*:?[\s|]*(\S.{3,39})`, 'iu');
/** A label that is all of a cell or a line has its value in the next cell, or below. */
const NAME_CELL = new RegExp(`^(${PATIENT})${FORM}\\s*:?$`, 'iu');
const BIRTH_CELL = new RegExp(`^(${BIRTH})${FORM}\\s*:?$`, 'iu');
const CELL_END = /\t|\s{2,}|\s*\|\s*/u;
const STRONG = new RegExp(`^(?:${PATIENT_NAME})$`, 'iu');

/** A value ends where the next column or label begins. */
const VALUE_END =
  /\t|\s{2,}|[|;(#]|\s(?=[\p{L}.]{2,24}:)|\s(?=\d)|,?\s(?:d\.?o\.?b|date of birth|birth|fecha de|mrn|sex|age|gender|sexo|edad)\b/iu;

/** Two to five words that begin with a capital letter, as names are written; "Doe, Jane" too. */
const NAME_VALUE = /^\p{Lu}[\p{L}\p{M}'’.-]*,?(?: \p{Lu}[\p{L}\p{M}'’.-]*,?){1,4}$/u;

/** Words of labels and headings, which stand where a name does in a form. */
const NO_NAME = new Set(
  `account address admission age allergies appointment assessment attending birth care center chart chief clinic complaint
  contact copy date demographics department diagnosis discharge doctor dob education email encounter exam examination family
  gender guarantor health history hospital id identification identifier information instructions insurance location
  medical medication medications mrn name note notes number of patient phone physician plan problem problems procedure
  provider race record report results room sex service social ssn status summary telephone test the time visit
  alta antecedentes centro consulta correo datos de dirección edad estudio expediente fecha género historia historial
  información informe ingreso laboratorio médica médico nacimiento nombre número paciente registro resultados resumen sexo
  teléfono visita`.split(/\s+/),
);

const MAX_LINES = 2000;
const MAX_NAMED = 10;
/** How many lines below a name its birth date may stand. */
const MAX_APART = 2;
const MAX_LINE_LENGTH = 400;

/**
 * Finds the lines by which a document of text says whose it is: "Patient name: Jane Doe", or "Name: Jane Doe" with a date of
 * birth beside it, in a line, in the cells of a table, or one below the other. What prose says is not read: a name in a sentence
 * may be anybody's.
 */
export function findNameLines(text: string): NameLine[] {
  const lines = text
    .split(/\r?\n/u, MAX_LINES)
    .flatMap((line) => (line.trim() === '' ? [] : [line.slice(0, MAX_LINE_LENGTH)]));
  const found = new Map<string, NameLine>();
  for (const index of lines.keys()) {
    const [line = '', below = '', ...rest] = lines.slice(index, index + 2 + MAX_APART);
    const named = readNameLabel(line) ?? readNameCell(line, below);
    if (named === null) continue;
    const birthDate = findBirthDate([line, below, ...rest]);
    if (!named.isSure && birthDate === undefined) continue;
    found.set(`${named.name} ${birthDate}`, { name: named.name, birthDate: birthDate ?? null });
    if (found.size === MAX_NAMED) break;
  }
  return [...found.values()];
}

interface NamedHere {
  name: string;
  isSure: boolean;
}

function readNameLabel(line: string): NamedHere | null {
  const [, label = '', rest = ''] = NAME_LABEL.exec(line) ?? [];
  const name = cutValue(rest);
  return NAME_VALUE.test(name) ? { name, isSure: STRONG.test(label) } : null;
}

/** Reads the name beside or below a label that stands by itself. */
function readNameCell(line: string, below: string): NamedHere | null {
  const { label, values } = readCells(NAME_CELL, line, below);
  const name = values.map(cutValue).find((value) => NAME_VALUE.test(value) && !isHeading(value));
  return name === undefined ? null : { name, isSure: STRONG.test(label) };
}

const cutValue = (rest: string): string => trimEnding((rest.split(VALUE_END, 1)[0] ?? '').trimEnd(), ', ');

const isHeading = (value: string): boolean =>
  value.split(/[\s,/-]+/u).some((word) => NO_NAME.has(word.toLowerCase()));

/** Returns the cell that is the label, and what may be its value: the next cell, and the one below in the same column. */
function readCells(pattern: RegExp, line: string, below: string): { label: string; values: string[] } {
  const cells = line.trim().split(CELL_END);
  const at = cells.findIndex((cell) => pattern.test(cell));
  if (at < 0) return { label: '', values: [] };
  const values = [cells[at + 1], below.trim().split(CELL_END)[at]];
  return {
    label: pattern.exec(cells[at] ?? '')?.[1] ?? '',
    values: values.filter((value) => value !== undefined),
  };
}

/**
 * Finds the date of birth in the first lines, the last of which is only below others. Returns null where a label stands there
 * without a date that can be read, undefined where none stands.
 */
function findBirthDate(lines: readonly string[]): string | null | undefined {
  for (const [index, line] of lines.slice(0, 1 + MAX_APART).entries()) {
    const value = BIRTH_LABEL.exec(line)?.[1];
    const { label, values } = readCells(BIRTH_CELL, line, lines[index + 1] ?? '');
    if (value === undefined && label === '') continue;
    const dates = [value ?? '', ...values].map(parseDate);
    return dates.find((date) => date !== null) ?? null;
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
  const iso = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?!\d)/u.exec(text);
  if (iso) return format(iso[1] ?? '', Number(iso[2]), Number(iso[3]));
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
