import { pipeline, type Readable, Transform } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { asMemberUnreadable, MemberUnreadable } from './unreadable.ts';

/** zlib's own default is 16 KiB; with 64 a 60 MB member inflates a third faster. */
const CHUNK_BYTES = 64 * 1024;

/** The member's inflated bytes; fails with MemberUnreadable when they are not what the directory declares. */
export async function openZipMember(zip: ZipFile, entry: Entry): Promise<Readable> {
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false }).catch((error: Error) => {
    throw asMemberUnreadable(error);
  });
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
