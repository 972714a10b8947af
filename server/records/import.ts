import type { Clock } from '../kernel/clock.ts';
import { one } from '../storage/db.ts';
import { sourceIdentity } from './identity.ts';
import { resolveLateReferences } from './late-references.ts';
import { projectStored, type ProjectionDeps } from './project-stored.ts';
import { bringsNames } from './resources.sql.ts';
import { survey, type Located, type Survey } from './survey.ts';
import { writeChunk, type Counts, type ImportTarget } from './write-chunk.ts';

export interface ImportDeps extends ProjectionDeps {
  clock: Clock;
}

export interface ImportOptions extends ImportTarget {
  /** Base address that ids without an absolute fullUrl are from, or ''. */
  origin: string;
  signal: AbortSignal;
}

export interface ImportResult extends Counts {
  /** Occurrences that were left out because a newer version of the same resource is in the same upload. */
  overridden: Survey['overridden'];
}

/** A transaction holds about as much as a page of memory: this many resources, or this many characters of them. */
const CHUNK = { resources: 300, characters: 1024 * 1024 };

/**
 * Brings an upload's resources into the record: `read` is called twice and must find the same in the same order.
 * Repeating it, or going on with it after a crash, changes nothing that is there already.
 */
export async function importResources(
  deps: ImportDeps,
  options: ImportOptions,
  read: () => AsyncIterable<Located>,
): Promise<ImportResult> {
  const { signal } = options;
  const plan = await survey(deps.db, options, until(signal, read()));
  const counts = await writeAll(deps, { ...options, plan }, until(signal, read()));
  const now = deps.clock.now();
  counts.updated += await resolveLateReferences(deps.db, { ...options, survey: plan, now });
  // Names that earlier documents' entries show may be new: then all of the record is told anew.
  const { brings } = await one(deps.db, bringsNames(options.patientId, options.batchId));
  const scope = { patientId: options.patientId, batchId: brings ? null : options.batchId };
  await projectStored(deps, scope, () => signal.throwIfAborted());
  return { ...counts, overridden: plan.overridden };
}

async function* until(signal: AbortSignal, findings: AsyncIterable<Located>): AsyncGenerator<Located> {
  for await (const located of findings) {
    signal.throwIfAborted();
    yield located;
  }
}

async function writeAll(
  { db, clock }: ImportDeps,
  options: ImportOptions & { plan: Survey },
  findings: AsyncIterable<Located>,
): Promise<Counts> {
  const counts: Counts = { created: 0, updated: 0, unchanged: 0 };
  let chunk: Located[] = [];
  let characters = 0;
  let place = 0;
  let written = Promise.resolve();
  const write = async (full: Located[]): Promise<void> => {
    const outcome = await writeChunk(db, { ...options, survey: options.plan, now: clock.now() }, full);
    for (const name of ['created', 'updated', 'unchanged'] as const) counts[name] += outcome[name];
  };
  /** One chunk is written while the next is read. */
  const flush = async (): Promise<void> => {
    await written;
    written = write(chunk);
    // A failure is thrown where it is waited for; until then it must not count as unhandled.
    written.catch(() => {});
    chunk = [];
    characters = 0;
  };
  try {
    for await (const located of findings) {
      const winner = options.plan.planned(sourceIdentity(located.found, options.origin))?.winner;
      if (winner !== place++) continue;
      chunk.push(located);
      characters += located.found.text.length;
      if (chunk.length >= CHUNK.resources || characters >= CHUNK.characters) await flush();
    }
    if (chunk.length > 0) await flush();
  } finally {
    await written;
  }
  return counts;
}
