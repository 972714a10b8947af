import fs from 'node:fs';
import { ConfigurationError, readConfig, type Config } from './config.ts';
import { readSetting } from './read-setting.ts';
import { findDatabaseFault } from './platform/db/database-fault.ts';
import { findUnknownVariables } from './unknown-variables.ts';

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

/** Returns a sentence where backups are looked for in a folder that is not there: no fault, since a disk may come later. */
export const findBackupWarnings = ({ backups: { folder } }: Pick<Config, 'backups'>): string[] =>
  folder === null || fs.existsSync(folder)
    ? []
    : [`CHARTGATE_BACKUP_DIR names ${folder}, which is not there or not to be seen: no check finds a backup`];

/** Returns a sentence for each variable that looks like a setting and is none. */
export const findMisspeltVariables = (environment: Environment): string[] =>
  findUnknownVariables(environment).map(
    ({ name, nearest }) =>
      `${name} is no setting of Chartgate and has no effect${nearest === null ? '' : `; did you mean ${nearest}?`}`,
  );
