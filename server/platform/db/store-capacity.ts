import type { StoreUse } from '../../../contract/endpoint.ts';
import { StoreError } from './store-error.ts';

/**
 * What the disk of the store still takes. `low`: nothing large (uploads, imports); `full`: nothing but what lets people
 * withdraw and organizations end things, for which a reserve is kept.
 */
export type CapacityLevel = 'ample' | 'low' | 'full';

const LEVELS: readonly CapacityLevel[] = ['ample', 'low', 'full'];

/** What is held back of the disk, so that there is space for those who withdraw. */
export interface ReserveOptions {
  /** 0: nothing. */
  bytes: number;
  /** How often to look at it, milliseconds. */
  intervalMs?: number;
  /** How long after a full disk it is filled up again where that can only be tried, milliseconds. */
  refillMs?: number;
}

export interface StoreCapacity {
  level(): CapacityLevel;
  set(level: CapacityLevel): void;
  /** Whether there is space for this use now. */
  permits(use: StoreUse): boolean;
  /** Throws StoreError `full` where there is no space for this use; costs no statement. */
  require(use: StoreUse): void;
  /** The memory that the process's threads share it by. */
  readonly shared: SharedArrayBuffer;
}

/** Creates the capacity of a store, or joins the one of another thread. */
export function createStoreCapacity(
  shared: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
): StoreCapacity {
  const cell = new Int32Array(shared);
  const level = (): CapacityLevel => LEVELS[Atomics.load(cell, 0)] ?? 'full';
  const permits = (use: StoreUse): boolean => (use === 'uploads' ? level() === 'ample' : level() !== 'full');
  return {
    shared,
    level,
    set: (next) => void Atomics.store(cell, 0, LEVELS.indexOf(next)),
    permits,
    require(use) {
      if (!permits(use)) throw new StoreError('full', null);
    },
  };
}
