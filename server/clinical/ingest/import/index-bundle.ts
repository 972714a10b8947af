import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { Db } from '../../../platform/db/db.ts';
import { isNameless } from '../../store/identity.ts';
import { parseResource } from '../../store/parse-resource.ts';
import {
  addWantedNames,
  findIdentified,
  findOnlyOfRecord,
  listWantedTypes,
  type WantedNames,
} from './conditional-references.ts';
import { findConflicts } from './find-conflicts.ts';
import { readLikeness } from './likeness.ts';
import type { OriginDecision } from './origin-evidence.ts';
import {
  createPlans,
  getKey,
  loadKnownRecord,
  type ImportPlan,
  type KnownRecord,
  type Plans,
} from './import-plan.ts';
import { planChunk, type PlannedFacts } from './plan-resources.ts';
import { readFacts, type ResourceAt, type ResourceFacts } from './read-facts.ts';
import type { ResourceSpool } from './resource-spool.ts';
import { settleOrigins } from './settle-origins.ts';

type IdentifiedFacts = Pick<ResourceFacts, 'identity' | 'path'>;

export interface BundleIndex {
  findPlan(facts: IdentifiedFacts): ImportPlan | undefined;
  /** Returns the origin of a resource, and of the relative references that it makes. */
  getOrigin(facts: IdentifiedFacts): string;
  /** `Type/id` in the record of a resource of the upload. */
  byId(type: string, id: string, origin: string | null): string | undefined;
  byName(name: string): string | undefined;
  /** Resources that the upload holds in several texts; `settleDuplicates` decides which of them counts. */
  contested: ReadonlySet<ImportPlan>;
  /** The origins of connected servers. */
  connected: ReadonlySet<string>;
}

interface IndexOptions {
  patientId: PatientId;
  batchId: BatchId;
  /** The server that the upload was fetched from, or ''. */
  origin: string;
  spool: ResourceSpool;
}

/** Resources that are looked up at once. */
const CHUNK = 200;

/**
 * Reads an upload into the spool, and decides which resources it holds, the id of each in the record, and the other names
 * that references use for it, since references point forwards as well as back. Memory grows by some 400 bytes a resource.
 */
export async function indexBundle(
  db: Db,
  { spool, ...upload }: IndexOptions,
  resources: AsyncIterable<ResourceAt>,
): Promise<BundleIndex> {
  const known = await loadKnownRecord(db, upload);
  const wanted: WantedNames = new Set();
  const needsLikeness = known.mayKnow && upload.origin === '';
  let plans = await planAll(db, known, {
    facts: spoolAll(resources, { spool, upload, needsLikeness, wanted }),
    getLabel,
  });
  const labels = await findConflicts(plans, () => spool.read(), upload.batchId);
  const getOwnLabel = (facts: IdentifiedFacts): string => getLabel(facts) || (labels.get(facts.path) ?? '');
  if (labels.size > 0)
    plans = await planAll(db, known, { facts: readAgain(spool, needsLikeness), getLabel: getOwnLabel });
  const decision = await settleOrigins(db, plans, known);
  const index = createIndex(plans, { known, decision, getLabel: getOwnLabel });
  return wanted.size === 0 ? index : addIdentified(db, index, { ...upload, wanted, spool });
}

/**
 * Adds the names of what conditional references of the upload mean in it, and in the record nothing else; only then the spool is read
 * for them.
 */
async function addIdentified(
  db: Db,
  index: BundleIndex,
  { patientId, wanted, spool }: { patientId: PatientId; wanted: WantedNames; spool: ResourceSpool },
): Promise<BundleIndex> {
  const types = listWantedTypes(wanted);
  const read = async function* () {
    for await (const { facts, text } of spool.read()) {
      const plan = types.has(facts.identity.type) ? index.findPlan(facts) : undefined;
      if (plan) yield { reference: formatReference(plan), text };
    }
  };
  const identified = await findOnlyOfRecord(db, patientId, await findIdentified(wanted, read()));
  return { ...index, byName: (name) => index.byName(name) ?? identified.get(name) };
}

const formatReference = ({ type, id }: ImportPlan): string => `${type}/${id}`;

/** The server that is named, or ''. */
const getLabel = ({ identity }: IdentifiedFacts): string => identity.origin;

async function* spoolAll(
  resources: AsyncIterable<ResourceAt>,
  {
    spool,
    upload,
    needsLikeness,
    wanted,
  }: { spool: ResourceSpool; upload: { origin: string }; needsLikeness: boolean; wanted: WantedNames },
): AsyncGenerator<PlannedFacts> {
  for await (const located of resources) {
    const facts = readFacts(located, upload.origin);
    await spool.append({ text: located.found.text, facts });
    addWantedNames(wanted, located.found.text);
    yield { facts, likeness: needsLikeness ? readLikeness(located.found.resource) : null };
  }
}

async function* readAgain(spool: ResourceSpool, needsLikeness: boolean): AsyncGenerator<PlannedFacts> {
  for await (const { facts, text } of spool.read())
    yield { facts, likeness: needsLikeness ? readLikeness(parseResource(text)) : null };
}

async function planAll(
  db: Db,
  known: KnownRecord,
  {
    facts: all,
    getLabel: label,
  }: { facts: AsyncIterable<PlannedFacts>; getLabel(facts: IdentifiedFacts): string },
): Promise<Plans> {
  const plans = createPlans();
  let chunk: PlannedFacts[] = [];
  for await (const planned of all) {
    chunk.push(planned);
    if (chunk.length < CHUNK) continue;
    await planChunk(db, plans, { known, chunk, getLabel: label });
    chunk = [];
  }
  await planChunk(db, plans, { known, chunk, getLabel: label });
  return plans;
}

interface IndexContext {
  known: KnownRecord;
  decision: OriginDecision;
  getLabel(facts: IdentifiedFacts): string;
}

function createIndex(
  { plans, names, contested }: Plans,
  { known, decision, getLabel: label }: IndexContext,
): BundleIndex {
  const format = (plan: ImportPlan | undefined): string | undefined => plan && formatReference(plan);
  return {
    contested,
    connected: known.connected,
    findPlan: (facts) =>
      plans.get(getKey(facts.identity))?.find(({ labels }) => labels.includes(label(facts))),
    getOrigin: (facts) => decision.getOrigin(label(facts)),
    byId(type, id, origin) {
      const alternatives = plans.get(`${type}/${id}`) ?? [];
      const isMeant = (plan: ImportPlan): boolean =>
        plan.labels.some((each) => decision.getOrigin(each) === origin);
      // Of one upload, what is not named otherwise is meant.
      return format(
        alternatives.find(isMeant) ??
          alternatives.find(({ labels }) => labels.some(isNameless)) ??
          (origin === null || isNameless(origin) ? alternatives[0] : undefined),
      );
    },
    byName: (name) => format(names.get(name)),
  };
}
