import type { Language } from './languages.ts';

/**
 * How numbers are written: with a decimal point in Spanish too, as in the United States and Mexico, where most readers are, and as
 * the values of records are. Spanish without a region has the comma of Spain.
 */
export const NUMBER_LOCALES: Readonly<Record<Language, string>> = { en: 'en', es: 'es-US' };

/** The texts for a number of things; without `none`, zero is one of many. */
export interface Countable {
  one: string;
  many: (count: string) => string;
  none?: string;
}

export function formatCount(count: number, { one, many, none }: Countable, language: Language): string {
  if (count === 0 && none !== undefined) return none;
  return count === 1 ? one : many(formatNumber(count, language));
}

export const formatNumber = (count: number, language: Language): string =>
  new Intl.NumberFormat(NUMBER_LOCALES[language]).format(count);

/** In units of a thousand, as devices show sizes. No line begins with a unit. */
export function formatSize(bytes: number, language: Language): string {
  const [unit, size] =
    bytes < 1e6
      ? (['kilobyte', Math.max(1, bytes / 1e3)] as const)
      : bytes < 1e9
        ? (['megabyte', bytes / 1e6] as const)
        : (['gigabyte', bytes / 1e9] as const);
  const formatted = new Intl.NumberFormat(NUMBER_LOCALES[language], {
    style: 'unit',
    unit,
    maximumFractionDigits: size < 10 ? 1 : 0,
  }).format(size);
  return formatted.replace(' ', '\u00a0');
}

export const formatPercent = (fraction: number, language: Language): string =>
  new Intl.NumberFormat(NUMBER_LOCALES[language], { style: 'percent' }).format(
    Math.floor(fraction * 100) / 100,
  );
