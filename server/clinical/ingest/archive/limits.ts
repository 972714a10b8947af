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
  resourceBytes: 32 * MiB,
  /**
   * Of a resource: 32 MiB of `{},{},…` would take 2.7 GB and 19 s to parse. The largest we met, the Provenance of a record
   * of 25,000 resources, has 50,000.
   */
  values: 1_000_000,
  /** Of a Bundle inside a Bundle or on a line, which is cut into entries unparsed. */
  bundleValues: 4_000_000,
  /** How deep JSON may nest; the deepest of 1,000 published records we tried has 21 levels. */
  depth: 200,
  headBytes: 64 * KiB,
  rejectionsPerMember: 100,
} as const;

/** True when so many bytes came out of so few that only a bomb is made that way. */
export function isRatioTooHigh(unpackedBytes: number, packedBytes: number): boolean {
  return unpackedBytes > ARCHIVE_LIMITS.ratioFromBytes && unpackedBytes > packedBytes * ARCHIVE_LIMITS.ratio;
}
