import { createHash } from 'node:crypto';
import type { PatientId } from '../../contract/ids.ts';
import type { Db } from '../storage/db.ts';
import { matching, recordId, sourceIdentity, type SourceIdentity } from './identity.ts';
import { identifierName } from './references.ts';
import * as statements from './resources.sql.ts';
import type { FoundResource } from './found-resource.ts';

/** A resource and where in the upload it lies. */
export interface Located {
  path: string;
  found: FoundResource;
}

/** What is known of one resource of the upload before any is written. */
interface Planned {
  origin: string;
  /** Its id in the record. */
  id: string;
  /** The place, counted from 0 over the whole upload, of the occurrence that counts. */
  winner: number;
  hash: string;
  lastUpdated: string;
}

export interface Survey {
  /** Distinct resources. */
  size: number;
  /** The plan for a resource of the upload. */
  planned(identity: SourceIdentity): Planned | undefined;
  /** `Type/id` in the record of what the upload itself holds. */
  byId(type: string, id: string, origin: string): string | undefined;
  byName(name: string): string | undefined;
  /** Occurrences that lost against another of the same id with other content. */
  overridden: { path: string; position: string }[];
}

/** How much is looked up at a time: as many resources, or as many characters of them. */
const CHUNK = { resources: 200, characters: 1024 * 1024 };

/**
 * First reading of an upload: which resources it holds, what each is called in the record, and which other names
 * references use for it, since references point forwards as well as back. Bodies are not kept: memory grows by some
 * 300 bytes a resource.
 */
export async function survey(
  db: Db,
  from: { patientId: PatientId; origin: string },
  findings: AsyncIterable<Located>,
): Promise<Survey> {
  const state = newState();
  let chunk: Located[] = [];
  let characters = 0;
  for await (const located of findings) {
    chunk.push(located);
    characters += located.found.text.length;
    if (chunk.length < CHUNK.resources && characters < CHUNK.characters) continue;
    await addChunk(db, { ...from, chunk, state });
    chunk = [];
    characters = 0;
  }
  await addChunk(db, { ...from, chunk, state });
  return {
    size: state.used.size,
    planned: ({ type, sourceId, origin }) => matching(state.plans.get(`${type}/${sourceId}`) ?? [], origin),
    byId(type, id, origin) {
      const plan = matching(state.plans.get(`${type}/${id}`) ?? [], origin);
      return plan && `${type}/${plan.id}`;
    },
    byName: (name) => state.names.get(name),
    overridden: state.overridden,
  };
}

const newState = () => ({
  plans: new Map<string, Planned[]>(),
  names: new Map<string, string>(),
  used: new Set<string>(),
  places: new Map<Planned, { path: string; position: string }>(),
  overridden: [] as { path: string; position: string }[],
  count: 0,
});

type State = ReturnType<typeof newState>;

async function addChunk(
  db: Db,
  {
    patientId,
    origin,
    chunk,
    state,
  }: { patientId: PatientId; origin: string; chunk: Located[]; state: State },
): Promise<void> {
  if (chunk.length === 0) return;
  const identities = chunk.map(({ found }) => sourceIdentity(found, origin));
  // In a transaction, whose statements are planned for the record as it is now and not as it was when it was empty.
  const [known, taken] = await db.tx(async (tx) => [
    await tx.query(
      statements.resourcesBySourceId(
        patientId,
        identities.map(({ sourceId }) => sourceId),
      ),
    ),
    await tx.query(
      statements.takenIds(
        patientId,
        identities.map(({ type, sourceId }) => ({ type, id: sourceId })),
      ),
    ),
  ]);
  const knownBySource = Map.groupBy(known, (row) => `${row.resource_type}/${row.source_id}`);
  const takenIds = new Set(taken.map((row) => `${row.resource_type}/${row.fhir_id}`));
  chunk.forEach((located, index) => {
    const identity = identities[index] as SourceIdentity;
    const key = `${identity.type}/${identity.sourceId}`;
    const plan = addOne(state, located, { identity, key, known: knownBySource.get(key) ?? [], takenIds });
    for (const name of namesOf(located.found))
      if (!state.names.has(name)) state.names.set(name, `${identity.type}/${plan.id}`);
  });
}

interface Circumstances {
  identity: SourceIdentity;
  key: string;
  known: statements.KnownResource[];
  takenIds: Set<string>;
}

function addOne(
  state: State,
  { path, found }: Located,
  { identity, key, known, takenIds }: Circumstances,
): Planned {
  const place = { path, position: found.position };
  const occurrence = {
    winner: state.count++,
    hash: hashOf(found.text).toString('base64'),
    lastUpdated: lastUpdatedOf(found),
  };
  const plans = state.plans.get(key) ?? [];
  const earlier = matching(plans, identity.origin);
  if (earlier) {
    if (earlier.hash !== occurrence.hash) override(state, { earlier, occurrence, place });
    return earlier;
  }
  const isFree = (id: string): boolean =>
    !takenIds.has(`${identity.type}/${id}`) && !state.used.has(`${identity.type}/${id}`);
  const id = matching(known, identity.origin)?.fhir_id ?? recordId(identity, isFree);
  const plan = { ...occurrence, origin: identity.origin, id };
  state.used.add(`${identity.type}/${id}`);
  state.plans.set(key, [...plans, plan]);
  state.places.set(plan, place);
  return plan;
}

/** Two versions of one resource in one upload: the one last updated counts, else the one that comes later. */
function override(
  state: State,
  versions: {
    earlier: Planned;
    occurrence: Pick<Planned, 'winner' | 'hash' | 'lastUpdated'>;
    place: { path: string; position: string };
  },
): void {
  const { earlier, occurrence, place } = versions;
  const older = occurrence.lastUpdated !== '' && earlier.lastUpdated > occurrence.lastUpdated;
  state.overridden.push(older ? place : (state.places.get(earlier) as { path: string; position: string }));
  if (older) return;
  Object.assign(earlier, occurrence);
  state.places.set(earlier, place);
}

function lastUpdatedOf({ resource }: FoundResource): string {
  const meta = resource['meta'] as { lastUpdated?: unknown } | null | undefined;
  const time = typeof meta?.lastUpdated === 'string' ? Date.parse(meta.lastUpdated) : Number.NaN;
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Kinds that documents point to by a business identifier. */
const POINTED_TO = new Set([
  'Practitioner',
  'PractitionerRole',
  'Organization',
  'Location',
  'Patient',
  'Device',
  'Medication',
]);

/** Names by which references may mean this resource, besides `Type/id`. */
export function namesOf({ resource, fullUrl }: FoundResource): string[] {
  const names: string[] = [];
  if (fullUrl?.startsWith('urn:')) names.push(fullUrl.toLowerCase());
  if (!POINTED_TO.has(resource.resourceType)) return names;
  const identifiers: unknown = resource['identifier'];
  for (const identifier of Array.isArray(identifiers) ? (identifiers as unknown[]) : []) {
    const { system, value } = (identifier ?? {}) as { system?: unknown; value?: unknown };
    if (typeof value !== 'string') continue;
    const token = typeof system === 'string' ? `${system}|${value}` : value;
    names.push(identifierName(resource.resourceType, token));
  }
  return names;
}
