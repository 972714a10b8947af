/** Bytes that are collected one by one or in pieces and taken as a whole. */
export interface ByteRun {
  add(bytes: Buffer): void;
  /** All bytes since the last take; valid until the next `add`. */
  take(): Buffer;
}

export function byteRun(): ByteRun {
  let store = Buffer.alloc(1024);
  let length = 0;
  return {
    add(bytes) {
      if (length + bytes.length > store.length) {
        store = Buffer.concat([store.subarray(0, length)], 2 * (length + bytes.length));
      }
      bytes.copy(store, length);
      length += bytes.length;
    },
    take() {
      const taken = store.subarray(0, length);
      length = 0;
      return taken;
    },
  };
}
