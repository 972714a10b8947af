/** In which order a list writes day, month and year. */
export type DateOrder = 'mdy' | 'dmy' | 'ymd';

const WRITTEN = /^(\d{1,4})[/.\- ](\d{1,2})[/.\- ](\d{1,4})$/;

/** Returns the day as 1980-12-31; null where the text is no day in this order. A year has four digits: of 80 nobody knows the century. */
export function toIsoDay(text: string, order: DateOrder): string | null {
  const [, one = '', two = '', three = ''] = WRITTEN.exec(text.trim()) ?? [];
  const [year, month, day] =
    order === 'ymd' ? [one, two, three] : order === 'mdy' ? [three, one, two] : [three, two, one];
  if (year.length !== 4 || month === '' || month.length > 2 || day.length > 2) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isIsoDay(iso) ? iso : null;
}

/** Whether it is a day of the calendar, written as 1980-12-31. */
export function isIsoDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Finds the orders in which most of the days of a column can be read that are not ISO; two where the days do not show which of
 * the two it is (03/04/1980 alone), the likelier of the two first.
 */
export function findDateOrders(texts: readonly string[], language: 'en' | 'es'): DateOrder[] {
  const others = texts.filter((text) => text !== '' && !isIsoDay(text));
  const preferred: DateOrder[] = language === 'es' ? ['dmy', 'mdy', 'ymd'] : ['mdy', 'dmy', 'ymd'];
  const counts = preferred.map((order) => ({
    order,
    count: others.filter((text) => toIsoDay(text, order) !== null).length,
  }));
  const most = Math.max(...counts.map(({ count }) => count));
  return most === 0 ? [] : counts.filter(({ count }) => count === most).map(({ order }) => order);
}
