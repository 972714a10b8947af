import { Refusal } from '../kernel/refusal.ts';
import type { PartnerAccess } from '../consent/partner-access.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/db.ts';
import { stretch, type Hope, type Selection } from './record.sql.ts';
import type { Telling } from './telling.ts';

/** A stretch is about as much of a record as is in memory at a time, twice: one is sent while the next is read. */
const ROWS = 1000;
const BYTES = 1024 * 1024;
/** How many places are looked at for a stretch of some of the types, or of what is new: they may be far apart. */
const PLACES = 10_000;

/** A resource whose stored bytes are not what is sent. */
export interface Replaced {
  seq: number;
  /** As it would have been told. */
  told: Buffer;
}

export interface Walk {
  selection: Selection;
  telling: Telling;
  hope: Hope;
  /** The place to go on from, exclusive. */
  after: number;
  /** Resources at most. */
  most: number;
  /** Patients are told as they are stored; else as `replaced` tells them. */
  contact: boolean;
  /** After a place, in the order of their places. */
  replaced: (after: number) => AsyncIterator<Replaced, undefined>;
}

/** How far a walk has come. */
export interface Progress {
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
export async function* stretches(
  deps: Deps,
  access: PartnerAccess,
  walk: Walk & { progress: Progress },
): AsyncGenerator<Buffer> {
  const { progress } = walk;
  for await (const part of read(deps, access, walk)) {
    progress.last = part.last;
    progress.rows += part.rows;
    yield* part.pieces;
  }
}

interface Part {
  pieces: readonly Buffer[];
  last: number;
  rows: number;
}

async function* read(deps: Deps, access: PartnerAccess, walk: Walk): AsyncGenerator<Part> {
  let { after, most } = walk;
  const open = walk.replaced(after);
  for (;;) {
    const { value: next } = await open.next();
    for await (const part of upTo(deps, access, { ...walk, after, most, before: next?.seq ?? null })) {
      most -= part.rows;
      yield part;
    }
    if (next === undefined || most === 0) return;
    after = next.seq;
    most--;
    yield { pieces: [next.told], last: next.seq, rows: 1 };
    if (most === 0) return;
  }
}

/** One stretch is read while the one before is on its way. */
async function* upTo(
  deps: Deps,
  access: PartnerAccess,
  walk: Walk & { before: number | null },
): AsyncGenerator<Part> {
  let { most } = walk;
  let reading = most === 0 ? null : one(deps, access, { ...walk, most });
  while (reading) {
    const part: Stretched = await reading;
    const { last: after, hope } = part;
    most -= part.rows;
    reading = part.complete || most === 0 ? null : one(deps, access, { ...walk, after, most, hope });
    // Whoever stops listening in between leaves it behind; its failure is then nobody's.
    reading?.catch(() => {});
    yield part;
  }
}

interface Stretched extends Part {
  /** There is nothing between it and `before`. */
  complete: boolean;
  /** What held. */
  hope: Hope;
}

const NO_HOPE: Hope = { full: false, unchanged: false };

async function one(
  { db, clock }: Deps,
  access: PartnerAccess,
  walk: Walk & { before: number | null },
): Promise<Stretched> {
  const { selection, telling, contact, after, before, most, hope } = walk;
  const rows = Math.min(most, ROWS);
  const all = hope.full && selection.types === null && selection.since === null;
  const end = Math.min(after + (all ? rows : PLACES), before === null ? Infinity : before - 1);
  const row = await db.copyRow(
    stretch(access, selection, {
      lead: telling.lead,
      contact,
      now: clock.now(),
      hope,
      after,
      end,
      rows,
      bytes: BYTES,
    }),
  );
  const [permitted, holds, last, told, ended] = row?.fields ?? [];
  if (permitted?.readInt32BE() !== 1) throw accessRevoked();
  if (holds?.readInt32BE() !== 1) return one({ db, clock }, access, { ...walk, hope: NO_HOPE });
  const reached = last ? Number(last.readBigInt64BE()) : after;
  return {
    pieces: row?.text.map((piece) => telling.finish(piece)) ?? [],
    last: reached,
    rows: told?.readInt32BE() ?? 0,
    complete: ended?.readInt32BE() === 1 || (before !== null && reached >= before - 1),
    hope,
  };
}

export const accessRevoked = (): Refusal =>
  new Refusal(403, 'access_revoked', {
    detail:
      'The patient does not share with your organization now: there is no consent, or it was withdrawn.',
  });
