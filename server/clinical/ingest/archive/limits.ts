import { DOCUMENT_LIMITS } from '../../../../documents/document-limits.ts';
import { MAX_UPLOAD_BYTES } from '../../../../contract/account/uploads.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** The limits of one upload. Sizes are bytes. */
export const ARCHIVE_LIMITS = {
  compressedBytes: MAX_UPLOAD_BYTES,
  /** All inflated bytes, nested archives and gzip files included. */
  unpackedBytes: 1024 * MiB,
  /** Directories and the members of nested archives count too. */
  members: 20_000,
  ratio: 200,
  /**
   * The ratio is checked only beyond this size. A small file of one repeated line may reach 1,000:1 (deflate's maximum is
   * 1,032:1), and 10 MiB do no harm, however small they were packed.
   */
  ratioFromBytes: 10 * MiB,
  /** Archives inside archives inside the upload are not opened. */
  nesting: 1,
  /** An upload is kept as it came, where something in it cannot be unpacked, up to the size of a document that is read. */
  keptArchiveBytes: DOCUMENT_LIMITS.documentBytes,
  headBytes: 64 * KiB,
  rejectionsPerMember: 100,
} as const;

/** True when the ratio is one that only a bomb reaches. */
export function isRatioTooHigh(unpackedBytes: number, packedBytes: number): boolean {
  return unpackedBytes > ARCHIVE_LIMITS.ratioFromBytes && unpackedBytes > packedBytes * ARCHIVE_LIMITS.ratio;
}
