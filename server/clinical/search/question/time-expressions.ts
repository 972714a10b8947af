import { parsePoint, MONTH_ALONE, POINT, type DaySpan } from './calendar-point.ts';
import { goBack, readCount, readUnit, spanCalendarUnit, COUNT, UNIT } from './calendar-units.ts';
import { DECADE, PART_OF_YEAR, spanDecade, spanPartOfYear } from './parts-of-years.ts';
import { compilePattern, findMatches, type Span } from './text-pattern.ts';

/** What a question says of time: which days, or which end of a history. */
export interface TimeMeaning {
  days?: DaySpan;
  /** Counted from today ("last month"): in a record that ended years ago nothing lies there. */
  isRelative?: boolean;
  order?: 'newest' | 'oldest';
}

/** A time expression, and where it stands in the text. */
export type TimeExpression = TimeMeaning & Span;

type Groups = Readonly<Record<string, string | undefined>>;

interface TimeRule {
  pattern: RegExp;
  /** Null: the text is no time after all. */
  read(groups: Groups, today: string): TimeMeaning | null;
}

const rule = (pattern: string, read: TimeRule['read']): TimeRule => ({
  pattern: compilePattern(pattern),
  read,
});

const YEARS = '(?:19|20)\\d\\d';
const WHEN = `(?<point>${POINT}|${MONTH_ALONE})`;

/** Reads one point; `toDays` makes days of it. */
const atPoint =
  (toDays: (point: DaySpan) => DaySpan): TimeRule['read'] =>
  ({ point = '' }, today) => {
    const span = parsePoint(point, today);
    return span && { days: toDays(span), ...(!/\d/.test(point) && { isRelative: true }) };
  };

/** "from March to May 2020": the first point has the year of the second. */
function readRange({ one = '', two = '' }: Groups, today: string): TimeMeaning | null {
  const last = parsePoint(two, today);
  const first = parsePoint(/\d{4}/.test(one) ? one : `${one} ${last?.from?.slice(0, 4)}`, today);
  if (!first?.from || !last?.before || first.from >= last.before) return null;
  return { days: { from: first.from, before: last.before } };
}

function readPartOfYear({ part = '', year }: Groups): TimeMeaning | null {
  const days = spanPartOfYear(part, Number(year));
  return days && { days };
}

function readDecade({ decade = '' }: Groups): TimeMeaning | null {
  const days = spanDecade(decade);
  return days && { days };
}

/** "2 years ago" is about then: half a unit before and after. */
function readAgo({ count, unit = '' }: Groups, today: string): TimeMeaning {
  const finer = { decade: 'year', year: 'month', month: 'day', week: 'day', day: 'day' } as const;
  const half = { decade: 5, year: 6, month: 15, week: 4, day: 0 };
  const name = readUnit(unit);
  const then = goBack(today, readCount(count), name);
  return {
    days: { from: goBack(then, half[name], finer[name]), before: goBack(then, -half[name] - 1, finer[name]) },
    isRelative: true,
  };
}

/** "Since last year": from the first day of the calendar's before this one on. */
const readSince = ({ unit = '' }: Groups, today: string): TimeMeaning => ({
  days: { from: spanCalendarUnit(today, readUnit(unit), 1).from, before: null },
  isRelative: true,
});

/** From so many units before today on. */
const readPast = ({ count, unit = '' }: Groups, today: string): TimeMeaning => ({
  days: { from: goBack(today, readCount(count), readUnit(unit)), before: null },
  isRelative: true,
});

const readCalendarUnit =
  (back: number): TimeRule['read'] =>
  ({ unit = '' }, today) => ({ days: spanCalendarUnit(today, readUnit(unit), back), isRelative: true });

const LAST = '(?:last|past|previous|ultim[oa]s?|pasad[oa]s?|letzte[nrsm]?|vergangene[nrsm]?|vorige[nrsm]?)';
const IN =
  '(?:(?:in|within|over|during|for|from|en|durante|de|wahrend|innerhalb|aus|im) )?(?:(?:the|my|el|la|los|las|der|den|dem|die|das) )*';
const WITHIN = '(?:within|throughout|over)';
const MY = '(?:(?:the|my|mi|mis|la|el|las|los|die|der|das|den|mein|meine[nrs]?) )*';

const AT =
  '(?:(?:at|by|around|near) )?(?:(?:the )?(?:end|beginning|start|middle) )?(?:in|on|during|of|from|en|durante|del?|el|im|am|vom|aus|wahrend|last|letzten)(?: (?:the|el|dem))?(?: (?:year|ano|jahre?|mes|monat|month))?(?: (?:of|de))?';

/** In this order: the first that matches a place in the text has it. */
const RULES: readonly TimeRule[] = [
  rule(
    `(?:(?:between|from|entre|von|zwischen|desde|del?) )?(?:(?:el|the|dem) )?(?<one>${POINT}|${MONTH_ALONE}) (?:and|to|until|till|through|y|al?|hasta|und|bis|-) (?:(?:el|the|dem) )?(?<two>${POINT})`,
    readRange,
  ),
  rule(`(?:(?:between|from|in|en|de|von) )?(?<one>${YEARS})-(?<two>${YEARS})`, readRange),
  rule(
    `(?:since|starting|as of|seit|ab|desde|a partir de)(?: (?:de|el|dem|the))? ${WHEN}(?: (?:on|onwards?))?`,
    atPoint(({ from }) => ({ from, before: null })),
  ),
  rule(
    `(?:after|later than|nach|despues del?|tras)(?: (?:el|dem|the))? ${WHEN}`,
    atPoint(({ before }) => ({ from: before, before: null })),
  ),
  rule(
    `(?:before|prior to|earlier than|vor|antes del?)(?: (?:el|dem|the))? ${WHEN}`,
    atPoint(({ from }) => ({ from: null, before: from })),
  ),
  rule(
    `(?:until|till|up to|through|bis|hasta)(?: (?:el|dem|the|zum))? ${WHEN}`,
    atPoint(({ before }) => ({ from: null, before })),
  ),
  rule(
    `(?:(?:in|during|from|around|at|en|im|am|durante) )?(?:(?:the|el|la|der|dem) )?(?<part>${PART_OF_YEAR})(?: (?:of|de|del|in|des jahres))? (?<year>${YEARS})`,
    readPartOfYear,
  ),
  rule(`(?:(?:in|during|from|en|durante) )?${DECADE}`, readDecade),
  rule(
    `(?:(?:around|about|circa|ca|hacia|um|back) )?(?:${AT} )?(?<point>${POINT})`,
    atPoint((span) => span),
  ),
  rule(
    `${AT} (?<point>${MONTH_ALONE})`,
    atPoint((span) => span),
  ),
  rule(`(?:${COUNT} ${UNIT} ago|hace ${COUNT} ${UNIT}|vor ${COUNT} ${UNIT})`, readAgo),
  rule(`${IN}${LAST} ${COUNT} ${UNIT}`, readPast),
  rule(`${IN}${COUNT} ${LAST} ${UNIT}`, readPast),
  rule(
    `(?:since|desde|seit) (?:(?:the|el|la|dem|der) )?(?:${LAST} ${UNIT}|${UNIT} (?:pasad[oa]|anterior))`,
    readSince,
  ),
  // "the past year" and "in the last year" are twelve months, "last year" the calendar's before this one.
  rule(`${IN}(?:past|vergangene[nrsm]?|ultim[oa]) ${UNIT}`, readPast),
  rule(`(?:${WITHIN} (?:(?:the|my) )?|(?:(?:in|during|for|from|of) )?the )last ${UNIT}`, readPast),
  rule(`(?:innerhalb|im (?:ver)?lauf)(?:e? (?:des|der|eines))? letzten ${UNIT}`, readPast),
  rule(`${IN}(?:this|current|este|esta|diese[nrsm]?) ${UNIT}`, readCalendarUnit(0)),
  rule(`${IN}(?:${LAST} ${UNIT}|${UNIT} (?:pasad[oa]|anterior))`, readCalendarUnit(1)),
  // Says no more than that it is asked now.
  rule(
    '(?:right now|at the moment|at present|these days|so far|on (?:file|record)|in (?:my|the) (?:records?|charts?|files?)|en mi (?:historia|historial|expediente)|in meiner akte|ahora mismo|zur zeit)',
    () => ({}),
  ),
  rule('(?:today|hoy|heute)', (_, today) => ({ days: spanCalendarUnit(today, 'day', 0), isRelative: true })),
  rule('(?:yesterday|ayer|gestern)', (_, today) => ({
    days: spanCalendarUnit(today, 'day', 1),
    isRelative: true,
  })),
  rule(
    `${MY}(?:(?:most|mas) recent(?:e|es|ly)?|mas recientes?|last|latest|newest|ultim[oa]s?|letzte[nrsm]?|neue?ste[nrsm]?|jungste[nrsm]?|aktuellste[nrsm]?|zuletzt|recent(?:ly)?|lately|recientes?|recientemente|kurzlich)(?! name)(?: (?:time|vez|mal))?(?: (?:\\d{1,2}|few|two|three|dos|tres|zwei|drei))?`,
    () => ({ order: 'newest' }),
  ),
  rule(
    `${MY}(?:first|earliest|oldest|primer(?:[oa]s?)?|mas antigu[oa]s?|erste[nrsm]?|frue?heste[nrsm]?|alteste[nrsm]?|erstmals)(?! (?:aid|degree|line|trimester|stage|name|responder))(?: ever)?(?: (?:time|vez|mal))?`,
    () => ({ order: 'oldest' }),
  ),
];

/** Finds time expressions in English, Spanish and German; they don't overlap. `today` is YYYY-MM-DD. */
export function findTimeExpressions(text: string, today: string): TimeExpression[] {
  const found: TimeExpression[] = [];
  for (const { pattern, read } of RULES)
    for (const { span, groups } of findMatches(text, pattern)) {
      const isTaken = found.some(({ start, end }) => span.start < end && start < span.end);
      const meaning = isTaken ? null : read(groups, today);
      if (meaning) found.push({ ...meaning, ...span });
    }
  return found.sort((one, other) => one.start - other.start);
}
