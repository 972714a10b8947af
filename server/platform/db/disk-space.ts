import fs from 'node:fs';
import path from 'node:path';

export interface DiskSpace {
  /** Bytes that this user may still write. */
  free: number;
  /** Bytes that the file system holds. */
  total: number;
}

/** Measures the file system that a folder is on, or will be on once it is made. */
export function readDiskSpace(folder: string): DiskSpace {
  let there = path.resolve(folder);
  while (!fs.existsSync(there)) there = path.dirname(there);
  const { bavail, blocks, bsize } = fs.statfsSync(there);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** Less than a new store takes, with the first files of its log; one that is there needs a part of it. */
const MIN_FREE_BYTES = 64 * 1024 ** 2;

/** Returns a sentence where an embedded store that does not open is on a disk that is full, or nearly; null where there is space. */
export function findDiskFault(dataDirectory: string): string | null {
  const { free } = readDiskSpace(dataDirectory);
  return free >= MIN_FREE_BYTES
    ? null
    : `the disk of ${dataDirectory} has ${formatMebibytes(free)} left, and nothing of its reserve is left to begin with. ` +
        'Make space on it and start again; nothing that was acknowledged is lost';
}

/** Returns what a store whose engine has stopped says of a disk that is full, or nearly; null where there is space. */
export function describeFullDisk(dataDirectory: string): string | null {
  const { free } = readDiskSpace(dataDirectory);
  return free >= MIN_FREE_BYTES
    ? null
    : `the disk of ${dataDirectory} has ${formatMebibytes(free)} left: make space on it and start again; what was acknowledged is stored, the rest is to be done again`;
}

export const formatMebibytes = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MiB`;
