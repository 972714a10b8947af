import type { PatientId } from '../../../../contract/brands.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import { findByOrigin, assignRecordId, type SourceIdentity } from '../../store/identity.ts';
import * as statements from '../../store/resources.sql.ts';
import { readFacts, type ResourceAt, type ResourceFacts } from './read-facts.ts';
import type { ResourceSpool } from './resource-spool.ts';

/** How one resource of the upload will be written, decided before any is. */
export interface ImportPlan {
  origin: string;
  /** Its id in the record. */
  id: string;
  /** The index in the whole upload of the occurrence that counts. */
  winner: number;
  hash: string;
  /** The record had it when the upload was read. */
  isKnown: boolean;
}

export interface BundleIndex {
  /** Distinct resources. */
  size: number;
  findPlan(identity: SourceIdentity): ImportPlan | undefined;
  /** `Type/id` in the record of a resource of the upload. */
  byId(type: string, id: string, origin: string): string | undefined;
  byName(name: string): string | undefined;
  /** Resources that the upload holds in several texts; `settleDuplicates` decides which of them counts. */
  contested: ReadonlySet<ImportPlan>;
}

/** Resources that are looked up at once. */
const CHUNK = 200;

/**
 * Reads an upload into the spool, and decides which resources it holds, the id of each in the record, and the other names
 * that references use for it, since references point forwards as well as back. Memory grows by some 300 bytes a resource.
 */
export async function indexBundle(
  db: Db,
  { patientId, origin, spool }: { patientId: PatientId; origin: string; spool: ResourceSpool },
  resources: AsyncIterable<ResourceAt>,
): Promise<BundleIndex> {
  const state = createState();
  // Of somebody's first upload there is nothing to look up.
  const { has_resources: mayKnow } = await one(db, statements.hasResources(patientId));
  const look = { patientId, mayKnow };
  let chunk: ResourceFacts[] = [];
  for await (const located of resources) {
    const facts = readFacts(located, origin);
    await spool.append({ text: located.found.text, facts });
    chunk.push(facts);
    if (chunk.length < CHUNK) continue;
    await addChunk(db, { ...look, chunk, state });
    chunk = [];
  }
  await addChunk(db, { ...look, chunk, state });
  return {
    size: state.used.size,
    findPlan: ({ type, sourceId, origin }) =>
      findByOrigin(state.plans.get(`${type}/${sourceId}`) ?? [], origin),
    byId(type, id, origin) {
      const plan = findByOrigin(state.plans.get(`${type}/${id}`) ?? [], origin);
      return plan && `${type}/${plan.id}`;
    },
    byName: (name) => state.names.get(name),
    contested: state.contested,
  };
}

const createState = () => ({
  plans: new Map<string, ImportPlan[]>(),
  names: new Map<string, string>(),
  used: new Set<string>(),
  contested: new Set<ImportPlan>(),
  count: 0,
});

type State = ReturnType<typeof createState>;

interface Chunk {
  patientId: PatientId;
  /** Whether the record holds anything. */
  mayKnow: boolean;
  chunk: readonly ResourceFacts[];
  state: State;
}

async function addChunk(db: Db, { patientId, mayKnow, chunk, state }: Chunk): Promise<void> {
  if (chunk.length === 0) return;
  const identities = chunk.map(({ identity }) => identity);
  const { known, existing } = mayKnow ? await lookUp(db, patientId, identities) : NOTHING;
  const knownBySource = Map.groupBy(known, (row) => `${row.resource_type}/${row.source_id}`);
  const existingIds = new Set(existing.map((row) => `${row.resource_type}/${row.fhir_id}`));
  for (const facts of chunk) {
    const { type, sourceId } = facts.identity;
    const key = `${type}/${sourceId}`;
    const plan = addResource(state, facts, { key, known: knownBySource.get(key) ?? [], existingIds });
    for (const name of facts.names) if (!state.names.has(name)) state.names.set(name, `${type}/${plan.id}`);
  }
}

interface Known {
  known: statements.KnownResourceRow[];
  existing: { resource_type: string; fhir_id: string }[];
}

const NOTHING: Known = { known: [], existing: [] };

/** In a transaction, whose statements are planned for the record as it is now and not as it was when it was empty. */
const lookUp = (db: Db, patientId: PatientId, identities: readonly SourceIdentity[]): Promise<Known> =>
  db.tx(async (tx) => ({
    known: await tx.query(
      statements.findResourcesBySourceId(
        patientId,
        identities.map(({ sourceId }) => sourceId),
      ),
    ),
    existing: await tx.query(
      statements.findExistingIds(
        patientId,
        identities.map(({ type, sourceId }) => ({ type, id: sourceId })),
      ),
    ),
  }));

interface Lookup {
  key: string;
  known: statements.KnownResourceRow[];
  existingIds: Set<string>;
}

function addResource(
  state: State,
  { identity, hash }: ResourceFacts,
  { key, known, existingIds }: Lookup,
): ImportPlan {
  const occurrence = { winner: state.count++, hash };
  const plans = state.plans.get(key) ?? [];
  const earlier = findByOrigin(plans, identity.origin);
  if (earlier) {
    if (earlier.hash !== occurrence.hash) state.contested.add(earlier);
    return earlier;
  }
  const isFree = (id: string): boolean =>
    !existingIds.has(`${identity.type}/${id}`) && !state.used.has(`${identity.type}/${id}`);
  const stored = findByOrigin(known, identity.origin);
  const id = stored?.fhir_id ?? assignRecordId(identity, isFree);
  const plan = { ...occurrence, origin: identity.origin, id, isKnown: stored !== undefined };
  state.used.add(`${identity.type}/${id}`);
  state.plans.set(key, [...plans, plan]);
  return plan;
}
