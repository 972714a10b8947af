import type { CachedFileReader } from './cached-file-reader.ts';

/** Where a zip file lies in a file: programs put something before it (one that unpacks itself) or behind it. */
interface ZipLocation {
  offset: number;
  size: number;
}

const END_SIGNATURE = Buffer.from('PK\x05\x06');
const ENTRY_SIGNATURE = Buffer.from('PK\x01\x02');
const END_BYTES = 22;
/** A comment of 64 KiB, and as much behind the archive. */
const MAX_TAIL_BYTES = END_BYTES + 2 * 0xffff;
const IN_ZIP64 = 0xffffffff;

/**
 * Finds the zip file by its end record (APPNOTE §4.3.16): what follows that is no part of it, and as far as the directory lies
 * behind the place that the record gives, so much precedes it. Returns the whole file where that is not sure.
 */
export async function locateZip(reader: CachedFileReader, size: number): Promise<ZipLocation> {
  const whole = { offset: 0, size };
  const start = Math.max(0, size - MAX_TAIL_BYTES);
  const tail = await reader.readBytes(start, size - start);
  const at = findEnd(tail);
  if (at === null) return whole;
  const end = start + at + END_BYTES + tail.readUInt16LE(at + 20);
  const [directoryBytes, directoryStart] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  const shift = start + at - directoryBytes - directoryStart;
  const isShifted =
    directoryBytes !== IN_ZIP64 &&
    directoryStart !== IN_ZIP64 &&
    shift > 0 &&
    (directoryBytes === 0 || (await isEntry(reader, directoryStart + shift))) &&
    !(await isEntry(reader, directoryStart));
  return isShifted ? { offset: shift, size: end - shift } : { offset: 0, size: end };
}

/** Returns the position of the last end record that is whole, one that ends with the file before others. */
function findEnd(tail: Buffer): number | null {
  let found: number | null = null;
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    at = tail.lastIndexOf(END_SIGNATURE, at);
    if (at === -1) break;
    const behind = tail.length - (at + END_BYTES + tail.readUInt16LE(at + 20));
    if (behind === 0) return at;
    if (behind > 0) found ??= at;
  }
  return found;
}

const isEntry = async (reader: CachedFileReader, at: number): Promise<boolean> =>
  (await reader.readBytes(at, ENTRY_SIGNATURE.length)).equals(ENTRY_SIGNATURE);
