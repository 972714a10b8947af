import fs from 'node:fs/promises';
import type { CapacityLevel, ReserveOptions, StoreCapacity } from './store-capacity.ts';
import { openReserveFile } from './reserve-file.ts';

/** Uploads stop while eight times the reserve is free: an import writes for up to a second until it sees so. */
export const UPLOADS_FACTOR = 8;

const INTERVAL_MS = 1_000;

export interface DiskWatch {
  /** Measures once. */
  tick(): Promise<void>;
  close(): void;
}

interface WatchedDisk {
  dataDirectory: string;
  reserve: ReserveOptions;
  capacity: StoreCapacity;
}

/** Measures the free space of the disk under the embedded store each second, and keeps its reserve whole. */
export function watchDisk({ dataDirectory, reserve, capacity }: WatchedDisk): DiskWatch {
  const file = openReserveFile({ dataDirectory, bytes: reserve.bytes });
  const tick = async (): Promise<void> => {
    const { bavail, bsize } = await fs.statfs(dataDirectory);
    const missing = file.missingBytes();
    // What the reserve lacks is not free: it is filled up before anything else goes on.
    const free = bavail * bsize - missing;
    capacity.set(toLevel(free, reserve.bytes));
    if (missing > 0 && free >= reserve.bytes) file.grow();
  };
  const timer = setInterval(() => void tick().catch(() => {}), reserve.intervalMs ?? INTERVAL_MS);
  timer.unref();
  return { tick, close: () => clearInterval(timer) };
}

function toLevel(free: number, reserveBytes: number): CapacityLevel {
  if (free < reserveBytes) return 'full';
  return free < reserveBytes * UPLOADS_FACTOR ? 'low' : 'ample';
}
