import { parseCodings, type Coding } from './codeable-concept.ts';
import { getPath, readText, toElements, type Element } from './element.ts';
import type { ComputedInterpretation, ResultFlag } from './observation-detail.ts';
import { parseQuantity } from './quantity.ts';

/** v3-ObservationInterpretation, and the words that laboratories write instead; nothing that is no statement on a range. */
const FLAGS: readonly [ResultFlag, string, RegExp][] = [
  ['critical high', 'HH HU', /^(critical(ly)?|significantly|very|panic) (high|elevated)$/],
  ['critical low', 'LL LU', /^(critical(ly)?|significantly|very|panic) low$/],
  ['critical', 'AA', /^(critical(ly)?( abnormal)?|panic)$/],
  [
    'high',
    'H HX HI >',
    /^(high|above( (the )?(normal|range|high normal|reference range))?|elevated|increased|erhöht|hoch|alto|\+{1,3}|↑)$/,
  ],
  [
    'low',
    'L LX LO <',
    /^(low|below( (the )?(normal|range|low normal|reference range))?|decreased|reduced|erniedrigt|niedrig|bajo|-{1,3}|↓)$/,
  ],
  [
    'abnormal',
    'A W',
    /^(abnormal|out of range|outside( (the )?(normal|reference))? range|auffällig|anormal|\*)$/,
  ],
  ['normal', 'N', /^(normal|within( (the )?(normal|reference))? (range|limits)|in range|unauffällig)$/],
];

/** v3-ObservationInterpretation, and the table of HL7 v2 that it is made from. */
const INTERPRETATION_SYSTEM = /ObservationInterpretation$|\b0078$|^urn:oid:2\.16\.840\.1\.113883\.5\.83$/i;

/** Parses the codings of an interpretation, those of the standard first: "N" of a laboratory's own may be anything. */
export function parseInterpretations(value: unknown): readonly Coding[] {
  const codings = parseCodings(value);
  if (codings.length < 2) return codings;
  const isStandard = ({ system }: Coding): boolean => INTERPRETATION_SYSTEM.test(system ?? '');
  return [...codings.filter(isStandard), ...codings.filter((coding) => !isStandard(coding))];
}

/** Reads the source's interpretation as a flag; the first that is one counts. */
export function readFlag(value: unknown): ResultFlag | null {
  const codings = parseInterpretations(value);
  const texts = toElements(value).flatMap(({ text }) => readText(text) ?? []);
  const written = [
    ...codings.flatMap(({ code, display }) => [code, display]),
    ...texts,
    ...(typeof value === 'string' ? [value] : []),
  ];
  for (const each of written) {
    const word = each?.trim() ?? '';
    const known = FLAGS.find(
      ([, codes, words]) => codes.split(' ').includes(word.toUpperCase()) || words.test(word.toLowerCase()),
    );
    if (known) return known[0];
  }
  return null;
}

interface Bound {
  number: number;
  /** As written. */
  text: string;
  /** The bound itself lies outside: "<10". */
  strict: boolean;
}

interface NumericRange {
  low: Bound | null;
  high: Bound | null;
  unit: string | null;
  isText: boolean;
}

const NUMBER = String.raw`[-+−]?\d+(?:[.,]\d+)?`;
const BETWEEN = new RegExp(
  String.raw`^[([]?\s*(${NUMBER})\s*(?:[-–—;]|\.\.\.?|to|bis|a|à|until|and|und)\s*(${NUMBER})\s*[)\]]?\s*(\S.*)?$`,
  'i',
);
const AT_MOST = new RegExp(
  String.raw`^(<=?|≤|=<|bis(?: zu)?|up to|at most|max(?:imum|imal)?\.?|less than|under|below|unter|kleiner(?: als)?|hasta)\s*(${NUMBER})\s*(\S.*)?$`,
  'i',
);
const AT_LEAST = new RegExp(
  String.raw`^(>=?|≥|=>|ab|from|at least|min(?:imum|destens|imal)?\.?|mind\.?|greater than|more than|over|above|über|größer(?: als)?|desde)\s*(${NUMBER})\s*(\S.*)?$`,
  'i',
);
const STRICT = /^(<|>|less|under|below|unter|kleiner|greater|more|over|above|über|größer)(?!=)/i;

/** "5,4" is 5.4; of "1,234" nobody knows. */
function parseNumber(text: string): number | null {
  if (/,\d{3}$/.test(text)) return null;
  const number = Number(text.replace(',', '.').replace('−', '-'));
  return Number.isFinite(number) ? number : null;
}

function toBound(text: string | undefined, strict = false): Bound | null {
  const number = text === undefined ? null : parseNumber(text);
  return number === null || text === undefined ? null : { number, text, strict };
}

/** Parses a range given as text, where it can mean one thing only. */
function parseRangeText(text: string): NumericRange | null {
  const plain = text.trim().replace(/^(reference range|ref\.?|normal( range)?|norm)\s*:?\s*/i, '');
  const [, from, to, betweenUnit] = BETWEEN.exec(plain) ?? [];
  const low = toBound(from);
  const high = toBound(to);
  if (low && high)
    return low.number <= high.number ? { low, high, unit: betweenUnit ?? null, isText: true } : null;
  const [, upTo, most, mostUnit] = AT_MOST.exec(plain) ?? [];
  const max = toBound(most, STRICT.test(upTo ?? ''));
  if (max) return { low: null, high: max, unit: mostUnit ?? null, isText: true };
  const [, fromWord, least, leastUnit] = AT_LEAST.exec(plain) ?? [];
  const min = toBound(least, STRICT.test(fromWord ?? ''));
  return min && { low: min, high: null, unit: leastUnit ?? null, isText: true };
}

function parseRange(range: Element): NumericRange | null {
  const low = parseQuantity(getPath(range, 'low'));
  const high = parseQuantity(getPath(range, 'high'));
  if (low === null && high === null) return parseRangeText(readText(range['text']) ?? '');
  if (low?.unit && high?.unit && !isSameUnit(low.unit, high.unit)) return null;
  const bounds = { low: toBound(low?.value), high: toBound(high?.value) };
  if ((low !== null && bounds.low === null) || (high !== null && bounds.high === null)) return null;
  // "87.3 to 82.4" of a published example: nobody knows which end is wrong.
  if (bounds.low && bounds.high && bounds.low.number > bounds.high.number) return null;
  return { ...bounds, unit: high?.unit ?? low?.unit ?? null, isText: false };
}

const normalizeUnit = (unit: string): string =>
  unit
    .toLowerCase()
    .replaceAll(/[\s[\]{}()]/g, '')
    .replaceAll('µ', 'u')
    .replaceAll('μ', 'u');

const isSameUnit = (one: string, other: string): boolean => normalizeUnit(one) === normalizeUnit(other);

/** What follows the numbers of a text is a unit only where the value has it too. */
function isComparable(range: NumericRange, unit: string | null): boolean {
  if (range.unit === null) return true;
  return unit === null ? !range.isText : isSameUnit(range.unit, unit);
}

/** Ranges that are not for healthy people ("critical", "therapeutic") judge nothing. */
const isForNormal = (range: Element): boolean => {
  const codes = parseCodings(range['type']).flatMap(({ code }) => code ?? []);
  return codes.length === 0 || codes.includes('normal');
};

/** Whether a range is for people of an age, which may not be the patient's. */
const isForAnAge = ({ age }: Element): boolean =>
  getPath(age, 'low') !== undefined || getPath(age, 'high') !== undefined;

const MEASURED = new RegExp(String.raw`^(<=?|>=?|≤|≥)?\s*(${NUMBER})$`);

/** Where a value lies; null where its comparator leaves that open. */
function locate(value: string, range: NumericRange): ComputedInterpretation | null {
  const [, comparator = '', digits = ''] = MEASURED.exec(value.trim()) ?? [];
  const number = parseNumber(digits);
  if (digits === '' || number === null) return null;
  const { low, high } = range;
  const isMore = comparator.startsWith('>') || comparator === '≥';
  const isLess = comparator.startsWith('<') || comparator === '≤';
  const isAbove =
    high !== null &&
    (number > high.number || (number === high.number && (high.strict || comparator === '>')));
  const isBelow =
    low !== null && (number < low.number || (number === low.number && (low.strict || comparator === '<')));
  if (isAbove && !isLess)
    return {
      flag: 'high',
      text: `${high.strict && number === high.number && !isMore ? 'not below' : 'above'} ${high.text}`,
    };
  if (isBelow && !isMore)
    return {
      flag: 'low',
      text: `${low.strict && number === low.number && !isLess ? 'not above' : 'below'} ${low.text}`,
    };
  if (isAbove || isBelow || (isMore && high !== null) || (isLess && low !== null)) return null;
  return { flag: 'normal', text: `within ${formatBounds(range)}` };
}

function formatBounds({ low, high }: NumericRange): string {
  if (low && high) return `${low.text} to ${high.text}`;
  return low ? `${low.strict ? '>' : '≥'} ${low.text}` : `${high?.strict ? '<' : '≤'} ${high?.text}`;
}

/**
 * Computes on which side of its reference range a value lies; null where the two are not comparable (another unit, words,
 * several ranges that judge differently, one for an age that may not be the patient's) and where the value is normal as the source says or leaves open.
 */
export function computeInterpretation(
  measured: { value: string | null; unit: string | null },
  ranges: unknown,
  flag: ResultFlag | null,
): ComputedInterpretation | null {
  const { value, unit } = measured;
  if (value === null) return null;
  const written = toElements(ranges).filter(isForNormal);
  if (written.some(isForAnAge)) return null;
  const parsed = written.map(parseRange);
  const judged = parsed.map((range) =>
    range === null || !isComparable(range, unit) ? null : locate(value, range),
  );
  const [first] = judged;
  if (!first || judged.some((each) => each?.flag !== first.flag)) return null;
  if (contradicts(first.flag, flag)) return { ...first, contradicts: true };
  return first.flag === 'normal' ? null : first;
}

function contradicts(computed: ComputedInterpretation['flag'], flag: ResultFlag | null): boolean {
  if (flag === null) return false;
  if (computed === 'normal') return flag !== 'normal';
  return flag === 'normal' || flag.endsWith(computed === 'high' ? 'low' : 'high');
}
