import type { BatchId, PatientId, SourceId } from '../../../../contract/brands.ts';
import type { Db } from '../../../platform/db/db.ts';
import { getSourceIdentity } from '../../store/identity.ts';
import { SHARED_LOOKED_UP_TYPES } from '../../store/looked-up-types.ts';
import { collectReferences } from '../../store/references.ts';
import { deleteTakenOut } from '../../store/taken-out.sql.ts';
import { loadTakenOut, readTarget, type TakenOut } from '../../store/taken-out.ts';
import type { Rejection } from '../archive/member.ts';
import type { ResourceAt } from '../import/read-facts.ts';

/** Keeps what a patient took out of a connected server's data out of its next answers. */
export interface TakenOutFilter {
  /** Passes on what was not taken out, or has changed at the server since. */
  observe(resources: AsyncIterable<ResourceAt>): AsyncGenerator<ResourceAt>;
  /** One note for all that was left out. */
  list(): Rejection[];
  /** Forgets what has come back. */
  forget(): Promise<void>;
}

interface Fetched {
  patientId: PatientId;
  batch: { batch_id: BatchId; source_id: SourceId | null; origin: string };
}

const NO_FILTER: TakenOutFilter = {
  async *observe(resources) {
    yield* resources;
  },
  list: () => [],
  forget: async () => {},
};

/** Creates the filter of a batch; one that the patient uploaded passes as it is. */
export async function createTakenOutFilter(
  db: Db,
  { patientId, batch: { source_id: sourceId, origin } }: Fetched,
): Promise<TakenOutFilter> {
  if (sourceId === null) return NO_FILTER;
  const takenOut = await loadTakenOut(db, patientId, sourceId);
  if (takenOut.size === 0) return NO_FILTER;
  const returned: Buffer[] = [];
  let leftOut = 0;
  return {
    async *observe(resources) {
      for await (const item of separate(resources, { takenOut, origin })) {
        if (item.returned) returned.push(item.returned);
        if (item.located) yield item.located;
        else leftOut++;
      }
    },
    list: () => (leftOut === 0 ? [] : [createNote(leftOut)]),
    forget: async () => {
      if (returned.length > 0) await db.query(deleteTakenOut(patientId, sourceId, returned));
    },
  };
}

interface Separated {
  /** Null: it was taken out. */
  located: ResourceAt | null;
  /** What was remembered of it, where it comes back. */
  returned: Buffer | null;
}

/**
 * Separates what was taken out and is unchanged. A place, a person or a drug comes back where something that is new refers to it: a new
 * prescription would have no name without it.
 */
async function* separate(
  resources: AsyncIterable<ResourceAt>,
  { takenOut, origin }: { takenOut: TakenOut; origin: string },
): AsyncGenerator<Separated> {
  const deferred = new Map<string, { located: ResourceAt; resourceHash: Buffer }>();
  const referred = new Set<string>();
  for await (const located of resources) {
    const { type, sourceId } = getSourceIdentity(located.found, origin);
    const known = takenOut.compare({ type, sourceId, text: located.found.text });
    if (known?.isUnchanged !== true) {
      addReferences(referred, located);
      yield { located, returned: known?.resourceHash ?? null };
    } else if (SHARED_LOOKED_UP_TYPES.has(type))
      deferred.set(`${type}/${sourceId}`, { located, resourceHash: known.resourceHash });
    else yield { located: null, returned: null };
  }
  // A set goes on with what is added to it meanwhile: a role names a person.
  for (const name of referred) {
    const needed = deferred.get(name);
    if (!needed) continue;
    deferred.delete(name);
    addReferences(referred, needed.located);
    yield { located: needed.located, returned: needed.resourceHash };
  }
  for (const _ of deferred) yield { located: null, returned: null };
}

function addReferences(into: Set<string>, { found: { text } }: ResourceAt): void {
  for (const reference of collectReferences(text)) {
    const name = readTarget(reference);
    if (name !== null && SHARED_LOOKED_UP_TYPES.has(name.slice(0, name.indexOf('/')))) into.add(name);
  }
}

const createNote = (count: number): Rejection => ({
  path: '',
  code: 'taken_out',
  message: `${count === 1 ? '1 resource was' : `${count} resources were`} taken out of the record before and ${count === 1 ? 'has' : 'have'} not changed at the server since, so ${count === 1 ? 'it was' : 'they were'} not brought back.`,
});
