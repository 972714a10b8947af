import type { PatientId } from '../../../../contract/brands.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { isNameless, isUniqueId } from '../../store/identity.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { findResourcesBySeq } from '../../store/resources.sql.ts';
import type { Candidate, Plans } from './import-plan.ts';
import { compareLikeness, readLikeness, type Likeness } from './likeness.ts';
import type { ResourceFacts } from './read-facts.ts';

/** A resource of an upload, and one of the record under its type and id. */
export interface Comparison {
  facts: ResourceFacts;
  likeness: Likeness | null;
  label: string;
  candidate: Candidate;
}

/** Bodies that are read to be compared, of one upload: so many say enough of where its ids are from. */
export const MAX_COMPARED = 1_000;

/** The person is the same at every system. */
const isPerson = (type: string): boolean => type === 'Patient' || type === 'Person';

/** Compares a resource with one of the record as far as that needs no body; false: it does. */
export function compareAtOnce(
  plans: Plans,
  { facts, label, candidate }: Omit<Comparison, 'likeness'>,
): boolean {
  const { origin, isConnected, isAlike, isOfBatch } = candidate;
  const areBothNamed = !isNameless(label) && !isNameless(origin);
  if (areBothNamed || isConnected || isOfBatch) return true;
  const { type, sourceId } = facts.identity;
  const isSame = isUniqueId(sourceId) || (isAlike && !isPerson(type));
  if (isSame) plans.evidence.add(label, origin, 'same');
  return isSame;
}

/** Compares resources with bodies of the record. */
export async function compareBodies(
  db: Queryable,
  plans: Plans,
  { patientId, open }: { patientId: PatientId; open: readonly Comparison[] },
): Promise<void> {
  if (open.length === 0) return;
  plans.compared += open.length;
  // The first of them, as many as fit: what is left out says nothing.
  const rows = await db.query(
    findResourcesBySeq(
      patientId,
      open.map(({ candidate }) => candidate.seq),
    ),
  );
  const bodies = new Map(rows.map(({ seq, body }) => [seq, body]));
  for (const { facts, likeness, label, candidate } of open) {
    const body = bodies.get(candidate.seq);
    const verdict =
      body === undefined || likeness === null
        ? 'unclear'
        : compareLikeness(facts.identity.type, readLikeness(parseResource(body)), likeness);
    plans.evidence.add(label, candidate.origin, verdict);
  }
}
