import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { ConfigurationError, readConfig, type Config } from './config.ts';
import { listen } from './listen.ts';
import { readSetting } from './read-setting.ts';
import { findDatabaseFault } from './platform/db/database-fault.ts';
import { formatMebibytes, readDiskSpace } from './platform/db/disk-space.ts';
import { UPLOADS_FACTOR } from './platform/db/watch-disk.ts';
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

/**
 * Reads the environment of who serves. A free port is taken here where PORT is 0, since the base URL names it; it is set in the
 * environment, for the processes that share it.
 */
export async function readServedConfig(environment: Record<string, string | undefined>): Promise<Config> {
  const config = await readCheckedConfig(environment);
  const { host, port, isBaseUrlGiven } = config.http;
  if (port !== 0 || isBaseUrlGiven) return config;
  environment['PORT'] = String(await listen(() => findFreePort(host), 'PORT 0'));
  delete environment['PORT_FILE'];
  return readCheckedConfig(environment);
}

async function findFreePort(host: string): Promise<number> {
  const server = net.createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns a sentence where backups are looked for in a folder that is not there: no fault, since a disk may come later. */
export const findBackupWarnings = ({ backups: { folder } }: Pick<Config, 'backups'>): string[] =>
  folder === null || fs.existsSync(folder)
    ? []
    : [`CHARTGATE_BACKUP_DIR names ${folder}, which is not there or not to be seen: no check finds a backup`];

/**
 * Refuses a reserve that leaves nothing of the disk of the embedded store, however empty that may be; returns a sentence about one
 * that leaves no space for uploads.
 */
export function requireSpaceForReserve({
  db: { databaseUrl, dataDirectory, reserve },
}: Pick<Config, 'db'>): string[] {
  if (databaseUrl !== undefined) return [];
  const { total } = readDiskSpace(dataDirectory);
  const sizes = `the disk of ${dataDirectory} holds ${formatMebibytes(total)}, and ${formatMebibytes(reserve.bytes)} were set`;
  // The reserve, and as much again that is free.
  if (total < 2 * reserve.bytes)
    throw new ConfigurationError([`CHARTGATE_RESERVE_BYTES must leave space for the store: ${sizes}`]);
  return total >= (1 + UPLOADS_FACTOR) * reserve.bytes
    ? []
    : [
        `CHARTGATE_RESERVE_BYTES leaves no space for uploads, which stop while less than ${UPLOADS_FACTOR} times as much is free: ${sizes}`,
      ];
}

/** Returns a sentence for each setting that has no effect without another one. */
export const findIdleWarnings = ({ idleSettings }: Pick<Config, 'idleSettings'>): string[] =>
  idleSettings.map(({ name, needs }) => `${name} has no effect without ${needs}`);

/** Returns a sentence for each variable that looks like a setting and is none. */
export const findMisspeltVariables = (environment: Environment): string[] =>
  findUnknownVariables(environment).map(
    ({ name, nearest }) =>
      `${name} is no setting of Chartgate and has no effect${nearest === null ? '' : `; did you mean ${nearest}?`}`,
  );
