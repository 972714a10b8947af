/** Collects bytes one by one or in pieces, to be taken as a whole. */
export interface ByteBuffer {
  append(bytes: Buffer): void;
  /** Returns all bytes since the last drain; valid until the next `append`. */
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
