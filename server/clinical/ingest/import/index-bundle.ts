import type { PatientId } from '../../../../contract/brands.ts';
import type { Db } from '../../../platform/db/db.ts';
import {
  findByOrigin,
  assignRecordId,
  getSourceIdentity,
  hashText,
  MAX_NAME_LENGTH,
  type SourceIdentity,
} from '../../store/identity.ts';
import { formatIdentifier } from '../../store/references.ts';
import * as statements from '../../store/resources.sql.ts';
import type { FoundResource } from '../../store/found-resource.ts';

/** A resource and its position in the upload. */
export interface ResourceAt {
  path: string;
  found: FoundResource;
}

/** How one resource of the upload will be written, decided before any is. */
export interface ImportPlan {
  origin: string;
  /** Its id in the record. */
  id: string;
  /** The index in the whole upload of the occurrence that counts. */
  winner: number;
  hash: string;
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

/** The limits of one look-up: so many resources, or so many characters of them. */
const CHUNK = { resources: 200, characters: 1024 * 1024 };

/**
 * Reads an upload for the first time, and decides which resources it holds, the id of each in the record, and the other names
 * that references use for it, since references point forwards as well as back. Bodies are not kept: memory grows by some 300
 * bytes a resource.
 */
export async function indexBundle(
  db: Db,
  from: { patientId: PatientId; origin: string },
  resources: AsyncIterable<ResourceAt>,
): Promise<BundleIndex> {
  const state = createState();
  let chunk: ResourceAt[] = [];
  let characters = 0;
  for await (const located of resources) {
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

async function addChunk(
  db: Db,
  {
    patientId,
    origin,
    chunk,
    state,
  }: { patientId: PatientId; origin: string; chunk: ResourceAt[]; state: State },
): Promise<void> {
  if (chunk.length === 0) return;
  const identities = chunk.map(({ found }) => getSourceIdentity(found, origin));
  // In a transaction, whose statements are planned for the record as it is now and not as it was when it was empty.
  const [known, existing] = await db.tx(async (tx) => [
    await tx.query(
      statements.findResourcesBySourceId(
        patientId,
        identities.map(({ sourceId }) => sourceId),
      ),
    ),
    await tx.query(
      statements.findExistingIds(
        patientId,
        identities.map(({ type, sourceId }) => ({ type, id: sourceId })),
      ),
    ),
  ]);
  const knownBySource = Map.groupBy(known, (row) => `${row.resource_type}/${row.source_id}`);
  const existingIds = new Set(existing.map((row) => `${row.resource_type}/${row.fhir_id}`));
  chunk.forEach((located, index) => {
    const identity = identities[index] as SourceIdentity;
    const key = `${identity.type}/${identity.sourceId}`;
    const plan = addResource(state, located, {
      identity,
      key,
      known: knownBySource.get(key) ?? [],
      existingIds,
    });
    for (const name of collectReferenceNames(located.found))
      if (!state.names.has(name)) state.names.set(name, `${identity.type}/${plan.id}`);
  });
}

interface Lookup {
  identity: SourceIdentity;
  key: string;
  known: statements.KnownResourceRow[];
  existingIds: Set<string>;
}

function addResource(
  state: State,
  { found }: ResourceAt,
  { identity, key, known, existingIds }: Lookup,
): ImportPlan {
  const occurrence = { winner: state.count++, hash: hashText(found.text).toString('base64') };
  const plans = state.plans.get(key) ?? [];
  const earlier = findByOrigin(plans, identity.origin);
  if (earlier) {
    if (earlier.hash !== occurrence.hash) state.contested.add(earlier);
    return earlier;
  }
  const isFree = (id: string): boolean =>
    !existingIds.has(`${identity.type}/${id}`) && !state.used.has(`${identity.type}/${id}`);
  const id = findByOrigin(known, identity.origin)?.fhir_id ?? assignRecordId(identity, isFree);
  const plan = { ...occurrence, origin: identity.origin, id };
  state.used.add(`${identity.type}/${id}`);
  state.plans.set(key, [...plans, plan]);
  return plan;
}

export function parseLastUpdated({ resource }: FoundResource): string {
  const meta = resource['meta'] as { lastUpdated?: unknown } | null | undefined;
  const time = typeof meta?.lastUpdated === 'string' ? Date.parse(meta.lastUpdated) : Number.NaN;
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

/** Types that documents refer to by a business identifier. */
const IDENTIFIER_TARGETS = new Set([
  'Practitioner',
  'PractitionerRole',
  'Organization',
  'Location',
  'Patient',
  'Device',
  'Medication',
]);

/** Collects the names by which references may mean this resource, besides `Type/id`. */
export function collectReferenceNames({
  resource,
  fullUrl,
}: Pick<FoundResource, 'resource' | 'fullUrl'>): string[] {
  const names: string[] = [];
  const add = (name: string): void => {
    if (name.length <= MAX_NAME_LENGTH && !name.includes('\0')) names.push(name);
  };
  if (fullUrl?.startsWith('urn:')) add(fullUrl.toLowerCase());
  if (!IDENTIFIER_TARGETS.has(resource.resourceType)) return names;
  const identifiers: unknown = resource['identifier'];
  for (const identifier of Array.isArray(identifiers) ? (identifiers as unknown[]) : []) {
    const { system, value } = (identifier ?? {}) as { system?: unknown; value?: unknown };
    if (typeof value !== 'string') continue;
    const token = typeof system === 'string' ? `${system}|${value}` : value;
    add(formatIdentifier(resource.resourceType, token));
  }
  return names;
}
