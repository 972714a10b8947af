import { at, element, isTrue, joined, text } from './element.ts';

/** Number and unit as written: digits untouched, the unit's name before its code. */
export function quantity(value: unknown): { value: string; unit: string | null } | null {
  const bare = text(value);
  if (bare !== null) return { value: bare, unit: null };
  const written = element(value);
  const number = text(written?.['value']);
  if (number === null) return null;
  return {
    value: `${text(written?.['comparator']) ?? ''}${number}`,
    unit: text(written?.['unit']) ?? text(written?.['code']),
  };
}

/** "10 mL"; the unit "1" says nothing and is left out of running text. */
export function quantityText(value: unknown): string | null {
  const read = quantity(value);
  return read && joined([read.value, read.unit === '1' ? null : read.unit], ' ');
}

/** "1 to 2 tablets", "≥ 60 mL/min"; both ends' units when they differ. */
export function rangeText(value: unknown): string | null {
  const low = quantity(at(value, 'low'));
  const high = quantity(at(value, 'high'));
  if (low && high) {
    const oneUnit = low.unit === null || low.unit === high.unit;
    return oneUnit
      ? `${low.value} to ${quantityText(at(value, 'high'))}`
      : `${quantityText(at(value, 'low'))} to ${quantityText(at(value, 'high'))}`;
  }
  if (low) return `≥ ${quantityText(at(value, 'low'))}`;
  return high ? `≤ ${quantityText(at(value, 'high'))}` : text(value);
}

/** "1:128" for titers, "10 mg / 5 mL" for amounts. */
export function ratioText(value: unknown): string | null {
  const above = quantity(at(value, 'numerator'));
  const below = quantity(at(value, 'denominator'));
  if (!above || !below) return quantityText(at(value, 'numerator')) ?? text(value);
  if (above.unit === null && below.unit === null) return `${above.value}:${below.value}`;
  return `${quantityText(at(value, 'numerator'))} / ${quantityText(at(value, 'denominator'))}`;
}

/** UCUM codes of time, for "45 years". */
const TIME_UNITS = new Map([
  ['a', 'years'],
  ['yr', 'years'],
  ['mo', 'months'],
  ['wk', 'weeks'],
  ['d', 'days'],
  ['day', 'days'],
  ['h', 'hours'],
  ['min', 'minutes'],
  ['s', 'seconds'],
]);

/** An age or a duration in words. */
export function durationText(value: unknown): string | null {
  const read = quantity(value);
  if (!read) return null;
  const unit = read.unit === null ? null : (TIME_UNITS.get(read.unit) ?? read.unit);
  return joined([read.value, Number(read.value) === 1 ? (unit?.replace(/s$/, '') ?? null) : unit], ' ');
}

/** onset[x], abatement[x], performed[x] and their like when they are no date: text, age, range or "yes". */
export function inOtherWords(resource: unknown, name: string): string | null {
  const age = durationText(at(resource, `${name}Age`));
  const range = rangeText(at(resource, `${name}Range`));
  return (
    text(at(resource, `${name}String`)) ??
    (age && `age ${age}`) ??
    (range && `age ${range}`) ??
    (isTrue(at(resource, `${name}Boolean`)) ? 'yes' : null)
  );
}
