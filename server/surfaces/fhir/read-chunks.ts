import { Refusal } from '../../platform/kernel/refusal.ts';
import type { PartnerAccess } from '../../consent/access/partner-access.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { selectChunk, type Assumptions, type Selection } from './record.sql.ts';
import type { ResourceSerializer } from './resource-serializer.ts';

/** A stretch is about as much of a record as is in memory at a time, twice: one is sent while the next is read. */
const MAX_ROWS = 1000;
const MAX_BYTES = 1024 * 1024;
/** How many places are looked at for a stretch of some of the types, or of what is new: they may be far apart. */
const MAX_SEQ_SPAN = 10_000;

/** A resource whose stored bytes are not what is sent. */
export interface Override {
  seq: number;
  /** As it would have been told. */
  encoded: Buffer;
}

export interface ReadOptions {
  selection: Selection;
  serializer: ResourceSerializer;
  assumptions: Assumptions;
  /** The place to go on from, exclusive. */
  after: number;
  /** Resources at most. */
  limit: number;
  /** Patients are told as they are stored; else as `replaced` tells them. */
  contact: boolean;
  /** After a place, in the order of their places. */
  overrides: (after: number) => AsyncIterator<Override, undefined>;
}

/** How far a walk has come. */
export interface Cursor {
  last: number;
  rows: number;
}

interface Deps {
  db: Db;
  clock: Clock;
}

/**
 * The resources of a selection in the order of their places, as bytes from the database. Each stretch is a statement of its
 * own that asks for the consent anew: a withdrawal ends the walk (it throws `access_revoked`), and no connection waits for
 * a slow reader.
 */
export async function* readChunks(
  deps: Deps,
  access: PartnerAccess,
  options: ReadOptions & { cursor: Cursor },
): AsyncGenerator<Buffer> {
  const { cursor } = options;
  for await (const chunk of readWithOverrides(deps, access, options)) {
    cursor.last = chunk.last;
    cursor.rows += chunk.rows;
    yield* chunk.buffers;
  }
}

interface Chunk {
  buffers: readonly Buffer[];
  last: number;
  rows: number;
}

async function* readWithOverrides(
  deps: Deps,
  access: PartnerAccess,
  options: ReadOptions,
): AsyncGenerator<Chunk> {
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
    yield { buffers: [next.encoded], last: next.seq, rows: 1 };
    if (limit === 0) return;
  }
}

/** One stretch is read while the one before is on its way. */
async function* readUntil(
  deps: Deps,
  access: PartnerAccess,
  options: ReadOptions & { before: number | null },
): AsyncGenerator<Chunk> {
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
    // Whoever stops listening in between leaves it behind; its failure is then nobody's.
    pending?.catch(() => {});
    yield chunk;
  }
}

interface ChunkResult extends Chunk {
  /** There is nothing between it and `before`. */
  isComplete: boolean;
  /** What held. */
  assumptions: Assumptions;
}

const NO_ASSUMPTIONS: Assumptions = { full: false, unchanged: false };

async function readChunk(
  { db, clock }: Deps,
  access: PartnerAccess,
  options: ReadOptions & { before: number | null },
): Promise<ChunkResult> {
  const { selection, serializer, contact, after, before, limit, assumptions } = options;
  const rows = Math.min(limit, MAX_ROWS);
  const isUnfiltered = assumptions.full && selection.types === null && selection.since === null;
  const end = Math.min(after + (isUnfiltered ? rows : MAX_SEQ_SPAN), before === null ? Infinity : before - 1);
  const row = await db.copyRow(
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
  const [permitted, stillHold, last, rowCount, isLast] = row?.fields ?? [];
  if (permitted?.readInt32BE() !== 1) throw accessRevoked();
  if (stillHold?.readInt32BE() !== 1)
    return readChunk({ db, clock }, access, { ...options, assumptions: NO_ASSUMPTIONS });
  const reached = last ? Number(last.readBigInt64BE()) : after;
  return {
    buffers: row?.text.map((buffer) => serializer.encodeChunk(buffer)) ?? [],
    last: reached,
    rows: rowCount?.readInt32BE() ?? 0,
    isComplete: isLast?.readInt32BE() === 1 || (before !== null && reached >= before - 1),
    assumptions,
  };
}

export const accessRevoked = (): Refusal =>
  new Refusal(403, 'access_revoked', {
    detail:
      'The patient does not share with your organization now: there is no consent, or it was withdrawn.',
  });
