/** "del 5 de marzo de 2021 al 6 de mayo de 2021": a day has its article, a month or a year has none. */
export const formatSpan = (from: string, to: string): string =>
  `${isDay(from) ? 'del' : 'de'} ${from} ${isDay(to) ? 'al' : 'a'} ${to}`;

const isDay = (text: string): boolean => /^\d{1,2}( de |\/)/.test(text);
