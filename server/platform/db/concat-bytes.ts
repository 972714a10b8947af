/**
 * Joins chunks in one array on memory of its own, to be transferred to another thread and not copied: a Buffer is often a
 * view of a larger one, all of which would be transferred, and a copy stays until the next garbage collection (200 MB in
 * an import).
 */
export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((total, { length }) => total + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
