import { pipeline, type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ARCHIVE_LIMITS, isRatioTooHigh } from './limits.ts';
import { toMemberError, MemberError } from './archive-errors.ts';

/** Checks the magic bytes (RFC 1952 §2.3.1) and the method deflate, the only one defined. */
export function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 8;
}

/** Inflates a stream; a bomb ends as `expands_too_far`. */
export function gunzip(packed: Readable, onUnpacked?: (bytes: number) => void): Readable {
  let packedBytes = 0;
  let unpackedBytes = 0;
  const countPacked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      packedBytes += chunk.length;
      done(null, chunk);
    },
  });
  const countUnpacked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpackedBytes += chunk.length;
      onUnpacked?.(chunk.length);
      const isTooLarge =
        unpackedBytes > ARCHIVE_LIMITS.unpackedBytes || isRatioTooHigh(unpackedBytes, packedBytes);
      if (isTooLarge) done(new MemberError('expands_too_far'));
      else done(null, chunk);
    },
    destroy(error, done) {
      done(error && toMemberError(error));
    },
  });
  return pipeline(packed, countPacked, createGunzip({ chunkSize: 64 * 1024 }), countUnpacked, () => {});
}
