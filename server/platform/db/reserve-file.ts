import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Bytes by which the reserve shrinks and grows: whoever else fills the disk gets one such part at a time. */
const STEP_BYTES = 4 * 1024 * 1024;

/** A file beside the embedded store that is cut shorter where the disk is full, so that the store can go on. */
export interface ReserveFile {
  /** How many bytes it should have and has not. */
  missingBytes(): number;
  /** Gives a part of it back to the disk; false when nothing is left of it. */
  release(): boolean;
  /** Makes it longer by a part. */
  grow(): void;
}

/** Every thread that has the folder may use it: its length is all its state. */
export function openReserveFile({
  dataDirectory,
  bytes,
}: {
  dataDirectory: string;
  bytes: number;
}): ReserveFile {
  const file = path.join(dataDirectory, 'store-reserve');
  const readSize = (): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const missingBytes = (): number => Math.max(0, bytes - readSize());
  return {
    missingBytes,
    release() {
      const size = readSize();
      if (size === 0) return false;
      fs.truncateSync(file, Math.max(0, size - STEP_BYTES));
      return true;
    },
    grow() {
      // Random, as a file system may keep nothing for zeros.
      fs.appendFileSync(file, randomBytes(Math.min(missingBytes(), STEP_BYTES)), { mode: 0o600 });
    },
  };
}
