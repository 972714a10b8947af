/** A chunk of a record, and the resource that reaches its limit. */
const BUFFER_BYTES = 1280 * 1024;

/** Below it an allocation costs less than what is kept for it. */
const MIN_BYTES = 32 * 1024;

/** Two of each of two readers; those of more are garbage as everybody's. */
const MAX_FREE = 4;

/** Memory for the rows of `queryRowBytes`. */
export interface RowBuffers {
  take(bytes: number): RowBuffer;
}

export interface RowBuffer {
  bytes: Buffer;
  /** Lets another row have the memory. Only for one that nobody will read any more; one that is never released is garbage. */
  release(): void;
}

/**
 * Creates buffers that are used again. What the collector of garbage counts is the memory behind buffers too: of each 64 MB that
 * were read it went through the whole heap, which took as long as reading them.
 */
export function createRowBuffers(): RowBuffers {
  const free: Buffer[] = [];
  return {
    take(bytes) {
      if (bytes < MIN_BYTES || bytes > BUFFER_BYTES)
        return { bytes: Buffer.allocUnsafe(bytes), release: () => {} };
      const whole = free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
      let isReleased = false;
      return {
        bytes: whole.subarray(0, bytes),
        release() {
          if (isReleased) return;
          isReleased = true;
          if (free.length < MAX_FREE) free.push(whole);
        },
      };
    },
  };
}
