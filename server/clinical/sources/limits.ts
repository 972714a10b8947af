const KiB = 1024;
const MiB = 1024 * KiB;

/** What one source may cost us. Sizes are bytes. */
export const SOURCE_LIMITS = {
  /** Of one organization. */
  sources: 50,
  /** Entries we ask for on a page; the server may send fewer. */
  count: 200,
  pages: 10_000,
  /** Of one sync, and of one page. What is stored is one archive, so its own limits hold besides. */
  bytes: 1000 * MiB,
  pageBytes: 64 * MiB,
  /** Capability statements of servers with every profile reach 3 MiB. */
  metadataBytes: 8 * MiB,
  responseBytes: 4 * MiB,
  tokenBytes: 64 * KiB,
  /** One request, with DNS, TLS and all of the answer. */
  requestMs: 60_000,
  syncMs: 30 * 60_000,
  /** Resources that are referred to and read one by one: organizations, practitioners, drugs. */
  referred: 5000,
  /** The parsing of one page, and the memory it may take. */
  inspectMs: 60_000,
  inspectMegabytes: 1024,
} as const;

export type SourceLimits = { readonly [Name in keyof typeof SOURCE_LIMITS]: number };

/** Seconds until a source is asked again after the first, second … failure that may pass; then it is told as failed. */
export const RETRY_SECONDS = [5, 30, 120, 600, 3600] as const;

/** A server's own Retry-After is followed up to this. */
export const MAX_RETRY_AFTER_MS = 3_600_000;
