import type { PatientId } from '../../../../contract/brands.ts';
import type { Db } from '../../../platform/db/db.ts';
import { isNameless, isUniqueId, type SourceIdentity } from '../../store/identity.ts';
import * as statements from '../../store/resources.sql.ts';
import { compareAtOnce, compareBodies, MAX_COMPARED, type Comparison } from './compare-known.ts';
import {
  getKey,
  NO_CANDIDATES,
  type Candidate,
  type ImportPlan,
  type KnownRecord,
  type Plans,
} from './import-plan.ts';
import type { Likeness } from './likeness.ts';
import type { ResourceFacts } from './read-facts.ts';

/** A resource of the upload, and by what it is compared; null where there is nothing to compare it with. */
export interface PlannedFacts {
  facts: ResourceFacts;
  likeness: Likeness | null;
}

interface Chunk {
  known: KnownRecord;
  chunk: readonly PlannedFacts[];
  getLabel(facts: ResourceFacts): string;
}

/** Plans some resources of the upload, and notes what says where its ids are from. */
export async function planChunk(db: Db, plans: Plans, { known, chunk, getLabel }: Chunk): Promise<void> {
  if (chunk.length === 0) return;
  const identities = chunk.map(({ facts }) => facts.identity);
  const { rows, existing } = known.mayKnow ? await lookUp(db, known.patientId, identities) : NOTHING;
  const rowsByKey = Map.groupBy(rows, (row) => `${row.resource_type}/${row.source_id}`);
  const existingIds = new Set(existing.map((row) => `${row.resource_type}/${row.fhir_id}`));
  const open: Comparison[] = [];
  for (const { facts, likeness } of chunk) {
    const label = getLabel(facts);
    const hash = Buffer.from(facts.hash, 'base64');
    const candidates = (rowsByKey.get(getKey(facts.identity)) ?? []).map((row) =>
      toCandidate(row, hash, known),
    );
    const plan = addResource(plans, facts, { label, candidates, existingIds });
    for (const name of facts.names) {
      if (!plans.names.has(name)) plans.names.set(name, plan);
    }
    if (facts.identity.type === 'Patient')
      for (const identifier of likeness?.identifiers ?? []) plans.evidence.addPatient(label, identifier);
    if (known.origin !== '') continue;
    for (const candidate of candidates)
      if (!compareAtOnce(plans, { facts, label, candidate }))
        open.push({ facts, likeness, label, candidate });
  }
  await compareBodies(db, plans, {
    patientId: known.patientId,
    open: open.slice(0, MAX_COMPARED - plans.compared),
  });
}

interface Found {
  rows: statements.KnownResourceRow[];
  existing: { resource_type: string; fhir_id: string }[];
}

const NOTHING: Found = { rows: [], existing: [] };

/** In a transaction, whose statements are planned for the record as it is now and not as it was when it was empty. */
const lookUp = (db: Db, patientId: PatientId, identities: readonly SourceIdentity[]): Promise<Found> =>
  db.tx(async (tx) => ({
    rows: await tx.query(
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

function toCandidate(row: statements.KnownResourceRow, hash: Buffer, known: KnownRecord): Candidate {
  const { seq, fhir_id: id, origin, first_batch_id: first, last_batch_id: last } = row;
  return {
    seq,
    id,
    origin,
    isAlike: row.source_hash.equals(hash),
    isConnected: known.connected.has(origin),
    isOfServer: [first, last].every((batch) => known.fetched.get(batch) === known.origin),
    isOfBatch: first === known.batchId,
  };
}

interface Lookup {
  label: string;
  candidates: Candidate[];
  existingIds: ReadonlySet<string>;
}

function addResource(
  plans: Plans,
  facts: ResourceFacts,
  { label, candidates, existingIds }: Lookup,
): ImportPlan {
  const { type, sourceId } = facts.identity;
  const winner = plans.count++;
  const key = getKey(facts.identity);
  const alternatives = plans.plans.get(key) ?? [];
  const earlier =
    alternatives.find(({ labels }) => labels.includes(label)) ?? findShared(alternatives, facts, label);
  if (earlier) {
    if (!earlier.labels.includes(label)) earlier.labels = [...earlier.labels, label];
    if (earlier.hash !== facts.hash) plans.contested.add(earlier);
    return earlier;
  }
  const isFree = !existingIds.has(key) && !plans.used.has(key);
  plans.used.add(key);
  if (!plans.labels.has(label)) plans.labels.set(label, [label]);
  const plan: ImportPlan = {
    type,
    sourceId,
    labels: plans.labels.get(label) ?? [label],
    origin: label,
    id: sourceId,
    winner,
    hash: facts.hash,
    knownAs: null,
    hasOwnId: false,
    isFree,
    candidates: candidates.length === 0 ? NO_CANDIDATES : candidates,
  };
  plans.plans.set(key, [...alternatives, plan]);
  return plan;
}

/**
 * Finds the resource that another part of the upload has under the id: of two documents that are not known to be of two systems.
 */
const findShared = (
  alternatives: readonly ImportPlan[],
  { identity, hash }: ResourceFacts,
  label: string,
): ImportPlan | undefined =>
  alternatives.find(({ labels, hash: other }) => {
    if (!isNameless(label) && !labels.some(isNameless)) return false;
    if (hash === other || isUniqueId(identity.sourceId)) return true;
    return label === '' ? !labels.every(isNameless) : !isNameless(label) && labels.includes('');
  });
