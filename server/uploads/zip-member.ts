import { pipeline, Readable, Transform } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import { asMemberUnreadable, MemberUnreadable } from './unreadable.ts';
import type { ZipDirectory } from './zip-directory.ts';

/** zlib's own default is 16 KiB; with 64 a 60 MB member inflates in 60 ms instead of 120. */
const CHUNK_BYTES = 64 * 1024;

/** Up to here a member is inflated at once: 20,000 small files are read in 2 s, through chains of streams in 35. */
const SMALL_BYTES = 256 * 1024;

/**
 * Opens a member as often as wanted: its inflated bytes, or MemberUnreadable, at opening or while they flow, when
 * they are not what the directory declares.
 */
export function zipMemberOpener(directory: ZipDirectory, entry: Entry): () => Promise<Readable> {
  const small = Math.max(entry.compressedSize, entry.uncompressedSize) <= SMALL_BYTES;
  let bytes: Buffer | undefined;
  return async () => {
    try {
      if (!small) return await streamed(directory, entry);
      bytes ??= await inflated(directory, entry);
      return Readable.from(bytes, { objectMode: false });
    } catch (error) {
      throw asMemberUnreadable(error as Error);
    }
  };
}

async function inflated({ zip, window }: ZipDirectory, entry: Entry): Promise<Buffer> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = await window.bytes(fileDataStart, entry.compressedSize);
  const bytes = entry.compressionMethod === 0 ? packed : inflateAtMost(entry.uncompressedSize, packed);
  if (bytes.length > entry.uncompressedSize) throw new MemberUnreadable('size_mismatch');
  const sound = bytes.length === entry.uncompressedSize && crc32(bytes) === entry.crc32;
  if (!sound) throw new MemberUnreadable('damaged');
  return bytes;
}

function inflateAtMost(size: number, packed: Buffer): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    const tooMuch = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw tooMuch ? new MemberUnreadable('size_mismatch') : error;
  }
}

async function streamed({ zip }: ZipDirectory, entry: Entry): Promise<Readable> {
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  const checked = checkAgainst(entry);
  // pipeline destroys every stage when one fails or the reader leaves; `checked` carries the error onwards.
  const noticed = (): void => {};
  if (entry.compressionMethod === 0) return pipeline(packed, checked, noticed);
  return pipeline(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }), checked, noticed);
}

/** Passes bytes through and compares size and CRC-32 with the directory's. */
function checkAgainst(entry: Entry): Transform {
  let bytes = 0;
  let checksum = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      checksum = crc32(chunk, checksum);
      if (bytes > entry.uncompressedSize) done(new MemberUnreadable('size_mismatch'));
      else done(null, chunk);
    },
    flush(done) {
      const sound = bytes === entry.uncompressedSize && checksum === entry.crc32;
      done(sound ? null : new MemberUnreadable('damaged'));
    },
    destroy(error, done) {
      done(error && asMemberUnreadable(error));
    },
  });
}
