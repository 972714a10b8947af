import { distance } from 'fastest-levenshtein';
import { SETTINGS } from './settings.ts';

/** Variables that other parts of the repository read. */
const OTHER_VARIABLES = /^CHARTGATE_(LISTEN_SECRET|API_KEY|API_SECRET|TEST_\w+)$/;
const MAX_DISTANCE = 6;
/** Of the letters behind the prefix: of two names that share nothing else, one may be as short as the distance. */
const MAX_DISTANT_PART = 0.5;
const MAX_TYPOS = 2;
const PREFIX = 'CHARTGATE_';

export interface UnknownVariable {
  name: string;
  /** The setting whose name is like it; null: none is. */
  nearest: string | null;
}

/** Finds the variables that look like settings and are none: a misspelt one would have no effect. */
export function findUnknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
): UnknownVariable[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !NAMES.includes(name) && !OTHER_VARIABLES.test(name))
    .sort()
    .map((name) => ({
      name,
      nearest: findNearest(name, Math.min(MAX_DISTANCE, (name.length - PREFIX.length) * MAX_DISTANT_PART)),
    }));
}

const NAMES = Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]);

/** Finds the setting whose name is like it. Some have names without our prefix, and are looked for with it. */
function findNearest(name: string, maxDistance: number): string | null {
  const measure = (setting: string): number =>
    distance(name, setting.startsWith(PREFIX) ? setting : `${PREFIX}${setting}`);
  const nearest = NAMES.toSorted((one, other) => measure(one) - measure(other))[0] ?? '';
  return measure(nearest) <= maxDistance ? nearest : null;
}

/**
 * Refuses what can only be a misspelt DATABASE_URL where that is not set: an empty embedded store would be served in the place of the
 * database that was meant.
 */
export const findDatabaseNameFaults = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  DATABASE_NAMES.some((name) => environment[name])
    ? []
    : findUnknownVariables(environment)
        .filter(
          ({ name }) => environment[name] && DATABASE_NAMES.includes(findNearest(name, MAX_TYPOS) ?? ''),
        )
        .map(
          ({ name }) =>
            `DATABASE_URL must be set: ${name} is no setting of Chartgate, and without DATABASE_URL an empty embedded store would be served`,
        );

const DATABASE_NAMES = ['DATABASE_URL', 'DATABASE_URL_FILE'];
