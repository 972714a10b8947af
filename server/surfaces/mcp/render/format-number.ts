const NUMBER_FORMAT = new Intl.NumberFormat('en-US');

/** "1,234"; the formatter is made once, because `toLocaleString` makes one at every call. */
export const formatNumber = (count: number): string =>
  count < 1000 ? String(count) : NUMBER_FORMAT.format(count);

/** "1 order", "12 orders". */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}
