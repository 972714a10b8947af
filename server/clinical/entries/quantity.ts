import { getPath, toElement, isTrue, joinPresent, readText } from './element.ts';

/** Reads number and unit as written: digits untouched, the unit's name before its code. */
export function parseQuantity(value: unknown): { value: string; unit: string | null } | null {
  const bare = readText(value);
  if (bare !== null) return { value: bare, unit: null };
  const written = toElement(value);
  const number = readText(written?.['value']);
  if (number === null) return null;
  return {
    value: `${readText(written?.['comparator']) ?? ''}${number}`,
    unit: readText(written?.['unit']) ?? readText(written?.['code']),
  };
}

/** Formats "10 mL"; the unit "1" says nothing and is left out of running text. */
export function formatQuantity(value: unknown): string | null {
  const parsed = parseQuantity(value);
  return parsed && joinPresent([parsed.value, parsed.unit === '1' ? null : parsed.unit], ' ');
}

/** Formats "1 to 2 tablets", "≥ 60 mL/min"; both ends' units when they differ. */
export const formatRange = (value: unknown): string | null => formatEnds(value, formatQuantity);

/** Formats a range of ages or durations: "50 to 55 years". */
export const formatDurationRange = (value: unknown): string | null => formatEnds(value, formatDuration);

function formatEnds(value: unknown, format: typeof formatQuantity): string | null {
  const low = parseQuantity(getPath(value, 'low'));
  const high = parseQuantity(getPath(value, 'high'));
  if (low && high) {
    const oneUnit = low.unit === null || low.unit === high.unit;
    return oneUnit
      ? `${low.value} to ${format(getPath(value, 'high'))}`
      : `${format(getPath(value, 'low'))} to ${format(getPath(value, 'high'))}`;
  }
  if (low) return `≥ ${format(getPath(value, 'low'))}`;
  return high ? `≤ ${format(getPath(value, 'high'))}` : readText(value);
}

/** Formats "1:128" for titers, "10 mg / 5 mL" for amounts. */
export function formatRatio(value: unknown): string | null {
  const above = parseQuantity(getPath(value, 'numerator'));
  const below = parseQuantity(getPath(value, 'denominator'));
  if (!above || !below) return formatQuantity(getPath(value, 'numerator')) ?? readText(value);
  if (isUnitless(above.unit) && isUnitless(below.unit)) return `${above.value}:${below.value}`;
  return `${formatQuantity(getPath(value, 'numerator'))} / ${formatQuantity(getPath(value, 'denominator'))}`;
}

const isUnitless = (unit: string | null): boolean => unit === null || unit === '1';

/** Units of time by their UCUM code, and the spellings of it that occur. */
export const TIME_UNITS: ReadonlyMap<string, string> = new Map([
  ['a', 'year'],
  ['yr', 'year'],
  ['mo', 'month'],
  ['wk', 'week'],
  ['d', 'day'],
  ['day', 'day'],
  ['h', 'hour'],
  ['min', 'minute'],
  ['s', 'second'],
]);

/** Formats an age or a duration in words. */
export function formatDuration(value: unknown): string | null {
  const parsed = parseQuantity(value);
  if (!parsed) return null;
  const known = TIME_UNITS.get(parsed.unit ?? '');
  const unit = known === undefined ? parsed.unit : `${known}s`;
  return joinPresent(
    [parsed.value, Number(parsed.value) === 1 ? (unit?.replace(/s$/, '') ?? null) : unit],
    ' ',
  );
}

/** Formats onset[x], abatement[x], performed[x] and the like when they are no date: text, age, range or "yes". */
export function formatUndatedChoice(resource: unknown, name: string): string | null {
  const age = formatDuration(getPath(resource, `${name}Age`));
  const range = formatDurationRange(getPath(resource, `${name}Range`));
  return (
    readText(getPath(resource, `${name}String`)) ??
    (age && `age ${age}`) ??
    (range && `age ${range}`) ??
    (isTrue(getPath(resource, `${name}Boolean`)) ? 'yes' : null)
  );
}
