import { distance } from 'fastest-levenshtein';
import { SETTINGS } from './settings.ts';

/** Variables that other parts of the repository read. */
const OTHER_VARIABLES = /^CHARTGATE_(LISTEN_SECRET|API_KEY|API_SECRET|TEST_\w+)$/;
const MAX_DISTANCE = 6;

export interface UnknownVariable {
  name: string;
  /** The setting whose name is like it; null: none is. */
  nearest: string | null;
}

/** Finds the variables that look like settings and are none: a misspelt one would have no effect. */
export function findUnknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
): UnknownVariable[] {
  const names = Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(environment)
    .filter((name) => name.startsWith('CHARTGATE_') && !names.includes(name) && !OTHER_VARIABLES.test(name))
    .sort()
    .map((name) => {
      const nearest = names.toSorted((one, other) => distance(name, one) - distance(name, other))[0] ?? '';
      return { name, nearest: distance(name, nearest) <= MAX_DISTANCE ? nearest : null };
    });
}
