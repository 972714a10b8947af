import type { Queryable } from '../../../platform/db/db.ts';
import { assignRecordId, isNameless, isUniqueId } from '../../store/identity.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { findPatients } from '../../store/resource-bodies.sql.ts';
import { readLikeness } from './likeness.ts';
import type { OriginDecision } from './origin-evidence.ts';
import {
  NO_CANDIDATES,
  type Candidate,
  type ImportPlan,
  type KnownRecord,
  type Plans,
} from './import-plan.ts';

const MAX_PATIENTS = 200;

/**
 * Decides which of the resources of the record each resource of an upload is, if any, and the id of each in the record, when all of
 * it was read. Returns how the origins of its parts were decided.
 */
export async function settleOrigins(
  db: Queryable,
  { plans, evidence }: Pick<Plans, 'plans' | 'evidence'>,
  known: KnownRecord,
): Promise<OriginDecision> {
  const patients = evidence.isEmpty() ? [] : await db.query(findPatients(known.patientId, MAX_PATIENTS));
  const identifiers = patients.flatMap(({ origin, body }) =>
    readLikeness(parseResource(body)).identifiers.map((identifier) => ({ origin, identifier })),
  );
  const decision = evidence.decide(known.batchId, identifiers);
  for (const alternatives of plans.values()) {
    const taken = new Set<Candidate>();
    for (const plan of alternatives) settlePlan(plan, { known, decision, taken });
  }
  return decision;
}

interface SettleContext {
  known: KnownRecord;
  decision: OriginDecision;
  taken: Set<Candidate>;
}

function settlePlan(plan: ImportPlan, context: SettleContext): void {
  const { decision, taken } = context;
  const label = plan.labels.find((each) => !isNameless(each)) ?? plan.labels[0] ?? '';
  const origin = decision.getOrigin(label);
  const candidate = findCandidate(plan, { ...context, label, origin });
  plan.origin = candidate && isNameless(label) ? candidate.origin : origin;
  if (candidate) taken.add(candidate);
  plan.knownAs = candidate?.origin ?? null;
  plan.id = candidate?.id ?? assignRecordId({ ...plan, origin }, plan.isFree);
  const isNew = candidate === undefined || candidate.isOfBatch;
  plan.hasOwnId = isNew && isNameless(label) && !plan.isFree && plan.id !== plan.sourceId;
  plan.candidates = NO_CANDIDATES;
}

/**
 * Finds the resource of the record that one of the upload is. Of the same origin it is the same. A document that does not say where its ids
 * are from has the resource of another where it has the same text, or an id that nobody else gives; of what a connected server sent
 * only what has the same text, since its facts are its own to change.
 */
function findCandidate(
  { candidates, sourceId }: ImportPlan,
  { known, decision, taken, label, origin }: SettleContext & { label: string; origin: string },
): Candidate | undefined {
  if (candidates.length === 0) return undefined;
  const free = candidates.filter((each) => !taken.has(each));
  const exact = free.find((each) => each.origin === origin);
  if (exact) return exact;
  const others = free.filter((each) => isNameless(origin) || isNameless(each.origin));
  const alike = others.find(({ isAlike }) => isAlike);
  if (alike) return alike;
  if (isUniqueId(sourceId)) {
    const same = others.find(({ isConnected }) => !isConnected);
    if (same) return same;
  }
  // What this server alone has sent, under the address that its fullUrls named, before those counted as its own.
  if (known.origin !== '') return free.find(({ isOfServer }) => isOfServer);
  if (isNameless(label) || known.connected.has(origin)) return undefined;
  return others.find((each) => decision.mayBe(label, each.origin));
}
