import { distance } from 'fastest-levenshtein';
import { ConfigurationError, readConfig, readSetting, type Config } from './config.ts';
import { SETTINGS } from './settings.ts';
import { findDatabaseFault } from './platform/db/database-fault.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment. Where it has faults, they are all in one error: those of the values, and a database that does not
 * answer.
 */
export async function readCheckedConfig(environment: Environment): Promise<Config> {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { value: databaseUrl } = readSetting(environment, 'DATABASE_URL');
    const isNamed = error.faults.some((fault) => fault.startsWith('DATABASE_URL'));
    const fault = databaseUrl && !isNamed ? await findDatabaseFault(databaseUrl) : null;
    throw fault === null ? error : new ConfigurationError([...error.faults, fault]);
  }
}

/** Variables that other parts of the repository read. */
const OTHER_VARIABLES = /^CHARTGATE_(LISTEN_SECRET|API_KEY|API_SECRET|TEST_\w+)$/;
const MAX_DISTANCE = 6;

/** Returns a sentence for each variable that looks like a setting and is none: a misspelt one would have no effect. */
export function findMisspeltVariables(environment: Environment): string[] {
  const names = Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(environment)
    .filter((name) => name.startsWith('CHARTGATE_') && !names.includes(name) && !OTHER_VARIABLES.test(name))
    .sort()
    .map((name) => {
      const nearest = names.toSorted((one, other) => distance(name, one) - distance(name, other))[0] ?? '';
      const hint = distance(name, nearest) <= MAX_DISTANCE ? `; did you mean ${nearest}?` : '';
      return `${name} is no setting of Chartgate and has no effect${hint}`;
    });
}
