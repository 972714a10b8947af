import type { PartnerAccess } from '../../consent/access/partner-access.ts';
import { createNotSharedRefusal } from '../../identity/patients/not-shared.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Chunk } from '../../platform/http/chunk-stream.ts';
import { redactChunk } from './redact-chunk.ts';
import { selectChunk, type ResourcePrefix } from './record.sql.ts';
import { isWholeRecord, type Assumptions, type Selection } from './selection.ts';

/** The limits of a chunk. Two of them are in memory at a time: one is sent while the next is read. */
const MAX_ROWS = 1000;
const MAX_BYTES = 1024 * 1024;
/** How far a filtered chunk scans by `seq`: resources of some types, or recent ones, may be far apart. */
const MAX_SEQ_SPAN = 10_000;

/** Serializes resources in the format of an answer. */
export interface ResourceSerializer {
  prefix: ResourcePrefix;
  /** Turns bytes from the database into bytes of the answer. */
  encodeChunk(bytes: Buffer): Buffer;
  /** Encodes a resource whose stored bytes are not what is sent; `reference` is `Type/id`. */
  encode(reference: string, body: string): Buffer;
  /** What precedes a relative reference of the record where the Person has it: nothing where all have one base. */
  recordBase: string;
}

/** A resource whose stored bytes are not what is sent. */
export interface Override {
  seq: number;
  encoded: Buffer;
}

export interface ReadOptions {
  selection: Selection;
  serializer: ResourceSerializer;
  assumptions: Assumptions;
  /** The `seq` to start from, exclusive. */
  after: number;
  limit: number;
  /** Sends Patients and Persons as they are stored; otherwise as `overrides` has them. */
  contact: boolean;
  /** Yields the overrides after a `seq`, in its order. */
  overrides: (after: number) => AsyncIterator<Override, undefined>;
}

/** The position of a traversal. */
export interface Cursor {
  last: number;
  rows: number;
}

interface Deps {
  db: Db;
  clock: Clock;
}

/**
 * Yields the resources of a selection in the order of `seq`, as bytes from the database, whose memory is used again when a chunk
 * was sent. Each chunk is a statement of its own that checks the consent anew: after a withdrawal an answer that has not begun is
 * 403 `no_consent`, after a removal 410 `traversal_expired`, and one that has begun is cut off. No connection waits for a slow
 * reader.
 */
export async function* readChunks(
  deps: Deps,
  access: PartnerAccess,
  options: ReadOptions & { cursor: Cursor },
): AsyncGenerator<ResourceChunk> {
  const { cursor } = options;
  for await (const chunk of readWithOverrides(deps, access, options)) {
    cursor.last = chunk.last;
    cursor.rows += chunk.rows;
    if (chunk.parts.length > 0) yield chunk;
  }
}

/** Leaves out the first bytes of a chunk: the end of a resource that is not there. */
export const skipBytes = (
  { parts: [first, ...others], onSent, rows }: ResourceChunk,
  count: number,
): EntryChunk => ({
  parts: [first?.subarray(count) ?? '', ...others],
  onSent,
  rows,
});

/** A part of an answer, with the number of resources in it. */
export interface EntryChunk extends Chunk {
  rows: number;
}

export interface ResourceChunk extends EntryChunk {
  parts: readonly Buffer[];
  last: number;
}

async function* readWithOverrides(
  deps: Deps,
  access: PartnerAccess,
  options: ReadOptions,
): AsyncGenerator<ResourceChunk> {
  let { after, limit } = options;
  const overrides = options.overrides(after);
  for (;;) {
    const { value: next } = await overrides.next();
    for await (const chunk of readUntil(deps, access, {
      ...options,
      after,
      limit,
      before: next?.seq ?? null,
    })) {
      limit -= chunk.rows;
      yield chunk;
    }
    if (next === undefined || limit === 0) return;
    after = next.seq;
    limit--;
    yield { parts: [next.encoded], last: next.seq, rows: 1 };
    if (limit === 0) return;
  }
}

/** Reads one chunk while the one before is being sent. */
async function* readUntil(
  deps: Deps,
  access: PartnerAccess,
  options: ReadOptions & { before: number | null },
): AsyncGenerator<ResourceChunk> {
  let { limit } = options;
  let pending = limit === 0 ? null : readChunk(deps, access, { ...options, limit });
  while (pending) {
    const chunk: ChunkResult = await pending;
    const { last: after, assumptions } = chunk;
    limit -= chunk.rows;
    pending =
      chunk.isComplete || limit === 0
        ? null
        : readChunk(deps, access, { ...options, after, limit, assumptions });
    // A reader that stops in between abandons the promise; its failure must not go unhandled.
    pending?.catch(() => {});
    yield chunk;
  }
}

interface ChunkResult extends ResourceChunk {
  /** There is nothing between this chunk and `before`. */
  isComplete: boolean;
  /** The assumptions that held. */
  assumptions: Assumptions;
}

/** Earlier states are kept for a day, and not at all of what the patient has taken out since. */
export const createTraversalExpiredRefusal = (): Refusal =>
  new Refusal(410, 'traversal_expired', {
    detail: 'The record has changed since the first page, and that state is no longer kept; start again.',
  });

const NO_ASSUMPTIONS: Assumptions = { full: false, unchanged: false };

async function readChunk(
  { db, clock }: Deps,
  access: PartnerAccess,
  options: ReadOptions & { before: number | null },
): Promise<ChunkResult> {
  const { selection, serializer, contact, after, before, limit, assumptions } = options;
  const rows = Math.min(limit, MAX_ROWS);
  const isUnfiltered = assumptions.full && isWholeRecord(selection);
  const end = Math.min(after + (isUnfiltered ? rows : MAX_SEQ_SPAN), before === null ? Infinity : before - 1);
  const row = await db.queryRowBytes(
    selectChunk(access, selection, {
      prefix: serializer.prefix,
      contact,
      now: clock.now(),
      assumptions,
      after,
      end,
      rows,
      bytes: MAX_BYTES,
    }),
  );
  const [permitted, stillHold, last, rowCount, isLast, masks, redactions] = row?.fields ?? [];
  if (permitted?.readInt32BE() !== 1) throw createNotSharedRefusal();
  const assumed = assumptions.full || assumptions.unchanged;
  if (stillHold?.readInt32BE() !== 1 && !assumed) throw createTraversalExpiredRefusal();
  if (stillHold?.readInt32BE() !== 1) {
    row?.release();
    return readChunk({ db, clock }, access, { ...options, assumptions: NO_ASSUMPTIONS });
  }
  const reached = last ? Number(last.readBigInt64BE()) : after;
  const { text = Buffer.alloc(0), release } = row ?? {};
  return {
    parts: redactChunk(text, { masks, redactions, prefix: serializer.prefix }).map((bytes) =>
      serializer.encodeChunk(bytes),
    ),
    onSent: release,
    last: reached,
    rows: rowCount?.readInt32BE() ?? 0,
    isComplete: isLast?.readInt32BE() === 1 || (before !== null && reached >= before - 1),
    assumptions,
  };
}
