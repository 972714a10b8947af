import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { ConfigurationError, getOutbox, readConfig, type Config } from './config.ts';
import { listen } from './listen.ts';
import { readSetting } from './read-setting.ts';
import { findDatabaseFault } from './platform/db/database-fault.ts';
import { formatMebibytes, readDiskSpace } from './platform/db/disk-space.ts';
import {
  FolderNotPrivateError,
  FolderUnusableError,
  makeFolderPrivate,
} from './platform/kernel/private-folder.ts';
import { SETTINGS } from './settings.ts';
import { UPLOADS_FACTOR } from './platform/db/watch-disk.ts';
import { findUnknownVariables } from './unknown-variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment. Where it has faults, they are all in one error: those of the values, a database that does not answer,
 * and what `findMore` finds.
 */
export async function readCheckedConfig(
  environment: Environment,
  findMore: (environment: Environment) => string[] = () => [],
): Promise<Config> {
  const more = findMore(environment);
  try {
    const config = readConfig(environment);
    if (more.length === 0) return config;
    throw new ConfigurationError([]);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { value: databaseUrl } = readSetting(environment, 'DATABASE_URL');
    const isNamed = error.faults.some((fault) => fault.startsWith('DATABASE_URL'));
    const fault = databaseUrl && !isNamed ? await findDatabaseFault(databaseUrl) : null;
    throw new ConfigurationError([...error.faults, ...(fault === null ? [] : [fault]), ...more]);
  }
}

/**
 * Reads the environment of who serves. A free port is taken here where PORT is 0, since the base URL names it; it is set in the
 * environment, for the processes that share it. The folders that serving needs are made here: what cannot be written into one
 * would otherwise be missed by the first person who waits for a mail.
 */
export async function readServedConfig(environment: Record<string, string | undefined>): Promise<Config> {
  const config = await readCheckedConfig(environment, makeFolders);
  const { host, port, isBaseUrlGiven } = config.http;
  if (port !== 0 || isBaseUrlGiven) return config;
  environment['PORT'] = String(await listen(() => findFreePort(host), 'PORT 0'));
  delete environment['PORT_FILE'];
  return readCheckedConfig(environment);
}

/** Makes the folder of the embedded store and that of mails, where they are needed; returns a sentence about the first that cannot be used. */
function makeFolders(environment: Environment): string[] {
  const isGiven = (name: string): boolean => readSetting(environment, name).value !== undefined;
  const { value, fault } = readSetting(environment, 'CHARTGATE_DATA_DIR');
  const dataDirectory = SETTINGS.CHARTGATE_DATA_DIR.safeParse(value).data;
  if (fault !== null || dataDirectory === undefined) return [];
  const folders = [
    ...(isGiven('DATABASE_URL') ? [] : [dataDirectory]),
    ...(isGiven('SMTP_URL') ? [] : [getOutbox(dataDirectory)]),
  ];
  try {
    for (const folder of folders) makeFolderPrivate(folder, () => false);
    return [];
  } catch (error) {
    const sentence = describeFolderFault(error);
    if (sentence === null) throw error;
    return [sentence];
  }
}

/** Returns a sentence about a folder below CHARTGATE_DATA_DIR that cannot be used, or not be closed to others; null for any other error. */
export function describeFolderFault(error: unknown): string | null {
  if (error instanceof FolderUnusableError)
    return `CHARTGATE_DATA_DIR must name a folder that this user may write to: ${error.message}`;
  return error instanceof FolderNotPrivateError
    ? `CHARTGATE_DATA_DIR must name a folder of this user alone: ${error.message}`
    : null;
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
