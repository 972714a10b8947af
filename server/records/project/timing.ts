import { conceptText, codings } from './codeable-concept.ts';
import { at, element, joined, text, texts, type Element } from './element.ts';
import { periodText } from './period.ts';
import { durationText, rangeText } from './quantity.ts';

const UNITS = new Map([
  ['s', 'second'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['wk', 'week'],
  ['mo', 'month'],
  ['a', 'year'],
]);

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

/** "every 12 hours for 10 days", "twice a day before meals"; null when nothing is told. */
export function timingText(value: unknown): string | null {
  const timing = element(value);
  if (timing === null) return text(value);
  const repeat = element(timing['repeat']);
  const often = repeat && frequency(repeat);
  const events = texts(timing['event']);
  return joined(
    [
      often ?? codeText(timing['code']),
      repeat && moments(repeat),
      repeat && limits(repeat),
      events.length > 0 ? `at ${events.join(', ')}` : null,
    ],
    ' ',
  );
}

function codeText(code: unknown): string | null {
  const known = codings(code).flatMap((each) => CODES.get(each.code ?? '') ?? []);
  return text(at(code, 'text')) ?? known[0] ?? conceptText(code);
}

function frequency(repeat: Element): string | null {
  const period = span(repeat['period'], repeat['periodMax']);
  const times = span(repeat['frequency'], repeat['frequencyMax']);
  const unit = UNITS.get(text(repeat['periodUnit']) ?? '');
  if (period === null || unit === undefined) return times === null ? null : `${times} times`;
  const one = isOne(period);
  if (times === null || isOne(times)) {
    if (!one) return `every ${period} ${unit}s`;
    return unit === 'hour' || unit === 'minute' ? `every ${unit}` : `once a ${unit}`;
  }
  const often = Number(times) === 2 ? 'twice' : `${times} times`;
  return one ? `${often} ${unit === 'hour' ? 'an' : 'a'} ${unit}` : `${often} every ${period} ${unit}s`;
}

function span(low: unknown, high: unknown): string | null {
  return joined([text(low), text(high)], ' to ');
}

/** 1.0 is one, whatever its digits. */
function isOne(written: string): boolean {
  return Number(written) === 1;
}

function moments(repeat: Element): string | null {
  const when = texts(repeat['when']).map((code) => WHEN.get(code) ?? code);
  const hours = texts(repeat['timeOfDay']).map((time) => time.replace(/^(\d{2}:\d{2}):00$/, '$1'));
  const days = texts(repeat['dayOfWeek']).map((day) => day.charAt(0).toUpperCase() + day.slice(1));
  const offset = when.length > 0 ? text(repeat['offset']) : null;
  return joined(
    [
      offset && `${offset} minutes`,
      when.length > 0 ? when.join(' and ') : null,
      hours.length > 0 ? `at ${hours.join(', ')}` : null,
      days.length > 0 ? `on ${days.join(', ')}` : null,
    ],
    ' ',
  );
}

function limits(repeat: Element): string | null {
  const bounds = durationText(repeat['boundsDuration']) ?? rangeText(repeat['boundsRange']);
  const period = element(repeat['boundsPeriod']);
  const count = span(repeat['count'], repeat['countMax']);
  const unit = UNITS.get(text(repeat['durationUnit']) ?? '');
  const duration = span(repeat['duration'], repeat['durationMax']);
  return joined(
    [
      duration && joined([`over ${duration}`, unit && (isOne(duration) ? unit : `${unit}s`)], ' '),
      bounds && `for ${bounds}`,
      period && periodText(period)?.replace(/^(?!from|until)/, 'from '),
      count && (isOne(count) ? 'one time in all' : `${count} times in all`),
    ],
    ', ',
  );
}
