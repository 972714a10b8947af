import { formatConcept, parseCodings } from './codeable-concept.ts';
import { getPath, toElement, joinPresent, readText, readTexts, type Element } from './element.ts';
import { formatDuration, formatDurationRange, TIME_UNITS } from './quantity.ts';
import { formatPeriod } from './partial-date.ts';

/** Timing.repeat.when (v3-TimingEvent and event-timing). */
const WHEN = new Map([
  ['MORN', 'in the morning'],
  ['MORN.early', 'in the early morning'],
  ['MORN.late', 'in the late morning'],
  ['NOON', 'at noon'],
  ['AFT', 'in the afternoon'],
  ['AFT.early', 'in the early afternoon'],
  ['AFT.late', 'in the late afternoon'],
  ['EVE', 'in the evening'],
  ['EVE.early', 'in the early evening'],
  ['EVE.late', 'in the late evening'],
  ['NIGHT', 'at night'],
  ['PHS', 'after sleep'],
  ['HS', 'at bedtime'],
  ['WAKE', 'after waking'],
  ['C', 'with meals'],
  ['CM', 'with breakfast'],
  ['CD', 'with lunch'],
  ['CV', 'with dinner'],
  ['AC', 'before meals'],
  ['ACM', 'before breakfast'],
  ['ACD', 'before lunch'],
  ['ACV', 'before dinner'],
  ['PC', 'after meals'],
  ['PCM', 'after breakfast'],
  ['PCD', 'after lunch'],
  ['PCV', 'after dinner'],
]);

/** v3-GTSAbbreviation codes, which come as often with their code as their only display. */
const CODES = new Map([
  ['QD', 'once a day'],
  ['BID', 'twice a day'],
  ['TID', '3 times a day'],
  ['QID', '4 times a day'],
  ['QOD', 'every other day'],
  ['Q1H', 'every hour'],
  ['Q2H', 'every 2 hours'],
  ['Q3H', 'every 3 hours'],
  ['Q4H', 'every 4 hours'],
  ['Q6H', 'every 6 hours'],
  ['Q8H', 'every 8 hours'],
  ['Q12H', 'every 12 hours'],
  ['AM', 'in the morning'],
  ['PM', 'in the evening'],
  ['BED', 'at bedtime'],
  ['WK', 'once a week'],
  ['MO', 'once a month'],
]);

/** "every 12 hours for 10 days", "twice a day before meals"; null when nothing is recorded. */
export function formatTiming(value: unknown): string | null {
  const timing = toElement(value);
  if (timing === null) return readText(value);
  const repeat = toElement(timing['repeat']);
  return joinPresent(
    [
      formatOften(timing, repeat),
      repeat && formatMoments(repeat),
      repeat && joinPresent(listLimits(repeat), ', '),
      formatEvents(timing),
    ],
    ' ',
  );
}

/** Lists what a timing says, each thing by itself: how often, when in the day, how long, on which days. */
export function listTimingParts(value: unknown): string[] {
  const timing = toElement(value);
  if (timing === null) return [readText(value)].filter((each) => each !== null);
  const repeat = toElement(timing['repeat']);
  return [
    formatOften(timing, repeat),
    ...(repeat === null ? [] : [formatMoments(repeat), ...listLimits(repeat)]),
    formatEvents(timing),
  ].filter((each) => each !== null);
}

const formatOften = (timing: Element, repeat: Element | null): string | null =>
  (repeat && formatFrequency(repeat)) ?? formatCode(timing['code']);

function formatEvents(timing: Element): string | null {
  const events = readTexts(timing['event']);
  return events.length > 0 ? `at ${events.join(', ')}` : null;
}

function formatCode(code: unknown): string | null {
  const known = parseCodings(code).flatMap((each) => CODES.get(each.code ?? '') ?? []);
  return readText(getPath(code, 'text')) ?? known[0] ?? formatConcept(code);
}

function formatFrequency(repeat: Element): string | null {
  const period = formatSpan(repeat['period'], repeat['periodMax']);
  const times = formatSpan(repeat['frequency'], repeat['frequencyMax']);
  const unit = TIME_UNITS.get(readText(repeat['periodUnit']) ?? '');
  if (period === null || unit === undefined) return times === null ? null : `${times} times`;
  const isSingle = isOne(period);
  if (times === null || isOne(times)) {
    if (!isSingle) return `every ${period} ${unit}s`;
    return unit === 'hour' || unit === 'minute' ? `every ${unit}` : `once a ${unit}`;
  }
  const often = Number(times) === 2 ? 'twice' : `${times} times`;
  return isSingle ? `${often} ${unit === 'hour' ? 'an' : 'a'} ${unit}` : `${often} every ${period} ${unit}s`;
}

function formatSpan(low: unknown, high: unknown): string | null {
  return joinPresent([readText(low), readText(high)], ' to ');
}

/** 1.0 is one, whatever its digits. */
function isOne(written: string): boolean {
  return Number(written) === 1;
}

function formatMoments(repeat: Element): string | null {
  const when = readTexts(repeat['when']).map((code) => WHEN.get(code) ?? code);
  const hours = readTexts(repeat['timeOfDay']).map((time) => time.replace(/^(\d{2}:\d{2}):00$/, '$1'));
  const days = readTexts(repeat['dayOfWeek']).map((day) => day.charAt(0).toUpperCase() + day.slice(1));
  const offset = when.length > 0 ? readText(repeat['offset']) : null;
  return joinPresent(
    [
      offset && `${offset} minutes`,
      when.length > 0 ? when.join(' and ') : null,
      hours.length > 0 ? `at ${hours.join(', ')}` : null,
      days.length > 0 ? `on ${days.join(', ')}` : null,
    ],
    ' ',
  );
}

function listLimits(repeat: Element): (string | null)[] {
  const bounds = formatDuration(repeat['boundsDuration']) ?? formatDurationRange(repeat['boundsRange']);
  const period = toElement(repeat['boundsPeriod']);
  const count = formatSpan(repeat['count'], repeat['countMax']);
  const unit = TIME_UNITS.get(readText(repeat['durationUnit']) ?? '');
  const duration = formatSpan(repeat['duration'], repeat['durationMax']);
  return [
    duration && joinPresent([`over ${duration}`, unit && (isOne(duration) ? unit : `${unit}s`)], ' '),
    bounds && `for ${bounds}`,
    (period && formatPeriod(period)?.replace(/^(?!from|until)/, 'from ')) ?? null,
    count && (isOne(count) ? 'one time in all' : `${count} times in all`),
  ];
}
