/**
 * Whether the words of a dosage say what its codes say: "5 mg" and "twice a day" stand in "Take one 5mg tab BID". What is not
 * found is shown beside the words, so that a spelling that is missing here costs a repetition, and never a dose.
 */

const ONES = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const NUMBER_WORDS = new RegExp(
  `\\b(${TENS.join('|')})(?:[ -](${ONES.join('|')}))?\\b|\\b(${ONES.join('|')})\\b`,
  'g',
);

/** What stands for another word: units, Latin abbreviations, routes. Numbers are apart from letters by now. */
const SPELLINGS: readonly [RegExp, string][] = [
  [/[{}[\]]/g, ' '],
  [/\b(?:micrograms?|mcgs?)\b|[µμ]g\b/g, 'ug'],
  [/\b(?:milligrams?|mgs)\b/g, 'mg'],
  [/\b(?:millilit(?:er|re)s?|ccs?)\b/g, 'ml'],
  [/\bgrams?\b/g, 'g'],
  [/\bi?u\b/g, 'unit'],
  [/\b(?:one[- ]half|half an?|half)\b|½|\b1\/2\b/g, '0.5'],
  [/(?<=\d),(?=\d{3}\b)/g, ''],
  [/\bonce\b/g, '1 times'],
  [/\btwice\b/g, '2 times'],
  [/\bb\.?i\.?d\b/g, '2 times a day'],
  [/\bt\.?i\.?d\b/g, '3 times a day'],
  [/\bq\.?i\.?d\b/g, '4 times a day'],
  [/\bq\.?o\.?d\b|\bevery other day\b/g, 'every 2 day'],
  [/\bq\.?d\b/g, 'every day'],
  [/\bq ?(?=\d)/g, 'every '],
  [/\bh\.?s\b/g, 'bedtime'],
  [/\b(?:p\.?o|by mouth|orally|per os)\b/g, 'oral'],
  [/\b(?:i\.?v|intravenously)\b/g, 'intravenous'],
  [/\b(?:i\.?m|intramuscularly)\b/g, 'intramuscular'],
  [/\b(?:s\.?[cq]|sub-?q|subcut|subcutaneously)\b/g, 'subcutaneous'],
  [/\b(?:s\.?l|under the tongue)\b/g, 'sublingual'],
  [/\b(?:apply|topically)\b/g, 'topical'],
  [/\b(?:inhaled?|inh|puffs?)\b/g, '$& inhalation'],
  [/\b(?:hours?|hrs?)\b/g, 'h'],
  [/\b(?:minutes?|mins?)\b/g, 'min'],
  [/\b(?:days|d)\b/g, 'day'],
  [/\b(?:weeks|wks?)\b/g, 'week'],
  [/\b(?:months|mo)\b/g, 'month'],
  [/ ?(?:\/|\bper\b) ?(?:1(?:\.0)? )?/g, '/'],
];

/** Longer texts are no dosages. */
const MAX_LENGTH = 2_000;

function toDigits(words: string): string {
  const [tens = '', ones = ''] = words.split(/[ -]/);
  const place = TENS.indexOf(tens);
  return String(place < 0 ? ONES.indexOf(tens) + 1 : (place + 2) * 10 + ONES.indexOf(ones) + 1);
}

function spellOut(text: string): string {
  const plain = text.slice(0, MAX_LENGTH).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
  const numbered = plain.replace(NUMBER_WORDS, toDigits).replace(/(?<=\d)(?=[a-zµμ])/g, ' ');
  return SPELLINGS.reduce((words, [from, to]) => words.replace(from, to), numbered);
}

interface Amount {
  value: number;
  unit: string | null;
}

const AMOUNT = /(\d{1,15}(?:\.\d{1,15})?)(?:( ?(?:-|–|to|or) ?)(?=\d)|[ -]?([a-z%][\w%/^]*))?/g;
/** Numbers of these are no doses. */
const UNITS_OF_TIME = new Set(['times', 'time', 'x', 'day', 'h', 'min', 'week', 'month']);

/** Finds numbers with their units; of "1-2 tablets" both have it. */
function findAmounts(spelled: string): Amount[] {
  const amounts: Amount[] = [];
  for (const [, value, range, unit = null] of spelled.matchAll(AMOUNT)) {
    amounts.push({ value: Number(value), unit });
    if (range !== undefined) continue;
    for (let at = amounts.length - 2; amounts[at]?.unit === null; at--)
      amounts[at] = { ...(amounts[at] as Amount), unit };
  }
  return amounts;
}

const isSameUnit = (one: string, other: string): boolean =>
  one === other ||
  // "tab", "tablet", "tablets".
  (Math.min(one.length, other.length) >= 3 &&
    !`${one}${other}`.includes('/') &&
    (one.startsWith(other) || other.startsWith(one)));

const hasAmount = (all: readonly Amount[], { value, unit }: Amount): boolean =>
  all.some(
    (each) =>
      each.value === value &&
      (unit === null
        ? !UNITS_OF_TIME.has(each.unit ?? '')
        : each.unit !== null && (each.unit === unit || isSameUnit(each.unit.replace(/\/day$/, ''), unit))),
  );

const DAYS = new Map([
  ['min', 1 / 1440],
  ['h', 1 / 24],
  ['day', 1],
  ['daily', 1],
  ['week', 7],
  ['weekly', 7],
  ['month', 30],
  ['monthly', 30],
]);

const TIMES =
  /(\d{1,9})(?: ?(?:-|to|or) ?(\d{1,9}))? ?(?:times?|x) ?(?:an? |each |every |\/)?(?:(\d{1,9}(?:\.\d{1,9})?) )?(min|h|daily|day|weekly|week|monthly|month)\b/g;
const EVERY =
  /\bevery (\d{1,9}(?:\.\d{1,9})?)(?: ?(?:-|to|or) ?(\d{1,9}(?:\.\d{1,9})?))? ?(min|h|day|week|month)\b/g;
const PLAIN = /(?:\b(?:every|each|an?) |\/)(min|h|day|week|month)\b|\b(daily|weekly|monthly)\b/g;

/** Finds how many times a day something is taken; "every 4 to 6 hours" is both. */
function findFrequencies(spelled: string): Set<string> {
  const found = new Set<string>();
  const add = (count: string | undefined, days: number): void => {
    if (count !== undefined) found.add((Number(count) / days).toPrecision(3));
  };
  const getDays = (unit = ''): number => DAYS.get(unit) ?? 1;
  for (const [, low, high, period = '1', unit] of spelled.matchAll(TIMES))
    for (const count of [low, high]) add(count, Number(period) * getDays(unit));
  const others = spelled.replace(TIMES, ' ');
  for (const [, low, high, unit] of others.matchAll(EVERY))
    for (const period of [low, high]) if (period !== undefined) add('1', Number(period) * getDays(unit));
  const rest = others.replace(EVERY, ' ');
  for (const [, unit, word] of rest.matchAll(PLAIN)) add('1', getDays(unit ?? word));
  return found;
}

const TIME_OF_DAY = /\b(?:morning|breakfast|noon|lunch|evening|dinner|supper|bedtime|night|nightly)\b/;

/** "10 units before lunch" is once a day. */
function findFrequenciesOfText(spelled: string): Set<string> {
  const found = findFrequencies(spelled);
  return found.size === 0 && TIME_OF_DAY.test(spelled) ? new Set([(1).toPrecision(3)]) : found;
}

const DATE = /\d{4}-\d\d(?:-\d\d)?(?:t[\d:.+-]{1,30}z?)?/g;
const LIMIT = /\b(?:max\w*|at most|exceed\w*|no more|not more|up to|limit\w*)\b/;
/** Words that say nothing by themselves. */
const FILLERS = new Set(
  'a administration an and at by before for from in most of on once or over route the to until use dose every all time times'.split(
    ' ',
  ),
);

const listWords = (spelled: string): string[] =>
  (spelled.match(/[\p{L}]+/gu) ?? []).map((word) => word.replace(/s$/, ''));

/** Returns a function that says whether `text` states a part of the coded dosage: "5 mg", "twice a day", "for 10 days". */
export function createStatedCheck(text: string): (part: string) => boolean {
  const spelled = spellOut(text);
  const [amounts, frequencies, words] = [
    findAmounts(spelled),
    findFrequenciesOfText(spelled),
    new Set(listWords(spelled)),
  ];
  return (part) => {
    const plain = spellOut(part);
    if (plain.startsWith('at most') && !LIMIT.test(spelled)) return false;
    const dates = plain.match(DATE) ?? [];
    if (!dates.every((date) => spelled.includes(date))) return false;
    const coded = plain.replace(DATE, ' ');
    const own = findFrequencies(coded);
    if (
      own.size > 0 &&
      !plain.startsWith('at most') &&
      !findAmounts(coded).some(({ unit }) => unit?.includes('/') === true)
    )
      return own.isSubsetOf(frequencies);
    if (!findAmounts(coded).every((amount) => hasAmount(amounts, amount))) return false;
    return listWords(coded.replace(AMOUNT, ' ')).every((word) => FILLERS.has(word) || words.has(word));
  };
}
