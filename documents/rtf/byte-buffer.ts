/** Bytes that are collected one by one or in pieces and taken as a whole. */
export interface ByteBuffer {
  append(bytes: Buffer): void;
  /** All bytes since the last take; valid until the next `add`. */
  drain(): Buffer;
}

export function createByteBuffer(): ByteBuffer {
  let store = Buffer.alloc(1024);
  let length = 0;
  return {
    append(bytes) {
      if (length + bytes.length > store.length) {
        store = Buffer.concat([store.subarray(0, length)], 2 * (length + bytes.length));
      }
      bytes.copy(store, length);
      length += bytes.length;
    },
    drain() {
      const drained = store.subarray(0, length);
      length = 0;
      return drained;
    },
  };
}
