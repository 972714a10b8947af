import { MAX_SOURCES } from '../../../contract/organization/sources.ts';
const KiB = 1024;
const MiB = 1024 * KiB;

/** The limits of one source. Sizes are bytes. */
export const SOURCE_LIMITS = {
  /** Per organization. */
  sources: MAX_SOURCES,
  /** Entries requested per page; the server may send fewer. */
  count: 200,
  pages: 10_000,
  /** Per sync and per page. The pages become one archive, whose limits hold as well. */
  bytes: 1000 * MiB,
  pageBytes: 64 * MiB,
  /** CapabilityStatements of servers with every profile reach 3 MiB. */
  metadataBytes: 8 * MiB,
  responseBytes: 4 * MiB,
  tokenBytes: 64 * KiB,
  /** One request, with DNS, TLS and the whole response. */
  requestMs: 60_000,
  /** The requests that an attempt begins with (discovery, metadata, the token), while somebody waits for it. */
  firstRequestMs: 10_000,
  syncMs: 30 * 60_000,
  /** The wait that a server may ask for between two pages, how often in a row, and how long it is where it names none. */
  retryAfterMs: 5 * 60_000,
  retries: 5,
  unnamedRetryAfterMs: 5000,
  /** Referenced resources that are fetched by id: organizations, practitioners, drugs. No more names are kept. */
  referred: 5000,
  /** Characters of a link to the next page, which are kept until the last one: servers take 8 to 16 KiB of headers. */
  linkLength: 8192,
  /** The time for parsing one page, and the memory for it. */
  inspectMs: 60_000,
  inspectMegabytes: 1024,
} as const;

export type SourceLimits = { readonly [Name in keyof typeof SOURCE_LIMITS]: number };

/** Seconds until the retry after the first, second … transient failure; after the last the sync has failed. */
export const RETRY_SECONDS = [5, 30, 120, 600, 3600] as const;

/** The attempts that somebody waits for: the first one, and its retry. The next ones come too late. */
export const MAX_AWAITED_FAILURES = 2;

/** A server's own Retry-After is followed up to this. */
export const MAX_RETRY_AFTER_MS = 3_600_000;
