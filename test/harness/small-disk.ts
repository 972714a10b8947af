import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const MB = 1024 * 1024;

/** A disk of our own that can be full. */
export interface SmallDisk {
  folder: string;
  /** Fills it to its last byte, as another program might, but for `leaving` megabytes. */
  fill(leaving?: number): void;
  /** Removes what `fill` wrote. */
  clear(): void;
  remove(): void;
}

/** Mounts a file system in memory; null where this user may not mount. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status !== 0) {
    fs.rmdirSync(folder);
    return null;
  }
  const file = path.join(folder, 'of-another-program');
  return {
    folder,
    fill(leaving = 0) {
      const { bavail, bsize } = fs.statfsSync(folder);
      let left = bavail * bsize - leaving * MB;
      const handle = fs.openSync(file, 'a');
      try {
        for (let part = Buffer.alloc(MB, 1); part.length > 0; part = part.subarray(0, part.length >> 1))
          while (left > 0 && hasSpaceFor(handle, part)) left -= part.length;
      } finally {
        fs.closeSync(handle);
      }
    },
    clear: () => fs.rmSync(file, { force: true }),
    remove() {
      spawnSync('umount', ['-l', folder]);
      fs.rmdirSync(folder);
    },
  };
}

function hasSpaceFor(handle: number, bytes: Buffer): boolean {
  try {
    return fs.writeSync(handle, bytes) === bytes.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    return false;
  }
}
