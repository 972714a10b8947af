import { NUMBER_LOCALES } from '../../../kit/format-number.ts';
import type { Language } from '../../../kit/languages.ts';

const UNITS = [
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A time in its largest whole unit: "2 days", "45 minutes"; what is shorter is a minute. */
export function formatDuration(seconds: number, language: Language): string {
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? UNITS[2];
  const count = Math.max(1, Math.round(seconds / length));
  return new Intl.NumberFormat(NUMBER_LOCALES[language], { style: 'unit', unit, unitDisplay: 'long' }).format(
    count,
  );
}
