const KiB = 1024;
const MiB = 1024 * KiB;

/** What one upload may hold. Sizes are bytes. */
export const ARCHIVE_LIMITS = {
  compressedBytes: 100 * MiB,
  /** Everything that comes out of an inflater, nested archives and gzip files included. */
  unpackedBytes: 1024 * MiB,
  /** Directories and the members of nested archives count too. */
  members: 20_000,
  ratio: 200,
  /**
   * The ratio is judged only once this much was unpacked. A small file of one repeated line reaches 1,000:1
   * honestly (deflate's own ceiling is 1,032:1), and 10 MiB harm nobody, however little they were packed into.
   */
  ratioFromBytes: 10 * MiB,
  /** Archives inside archives inside the upload are not opened. */
  nesting: 1,
  headBytes: 64 * KiB,
  rejectionsPerMember: 100,
} as const;

/** True when so many bytes came out of so few that only a bomb is made that way. */
export function isRatioTooHigh(unpackedBytes: number, packedBytes: number): boolean {
  return unpackedBytes > ARCHIVE_LIMITS.ratioFromBytes && unpackedBytes > packedBytes * ARCHIVE_LIMITS.ratio;
}
