const NUMBER_FORMAT = new Intl.NumberFormat('en-US');

/** "1,234"; the formatter is made once, because `toLocaleString` makes one at every call. */
export const formatNumber = (count: number): string =>
  count < 1000 ? String(count) : NUMBER_FORMAT.format(count);

/** "5 conditions, 7 records"; "5" where each thing has one record. */
export const formatThings = (
  things: number,
  records: number,
  noun: readonly [one: string, many: string],
): string =>
  things === records
    ? formatNumber(records)
    : `${pluralize(things, ...noun)}, ${pluralize(records, 'record')}`;

/** "1 order", "12 orders". */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}
