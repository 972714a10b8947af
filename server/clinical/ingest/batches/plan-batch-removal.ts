import type { PatientId } from '../../../../contract/brands.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { findContents, type BroughtResource } from '../../store/batch-resources.sql.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { planRemoval, trustTime, type RemovalPlan } from '../../store/plan-removal.ts';
import { readLastUpdated } from '../import/read-facts.ts';

/** Decides what becomes of the resources of a batch that is taken out; contents are read only of those that have several. */
export async function planBatchRemoval(
  on: Queryable,
  { patientId, now }: { patientId: PatientId; now: Date },
  rows: readonly BroughtResource[],
): Promise<RemovalPlan> {
  const seqs = rows
    .filter(({ others }) => new Set(others.flatMap(({ hash, isKept }) => (isKept ? hash : []))).size > 1)
    .map(({ seq }) => seq);
  const contents = seqs.length === 0 ? [] : await on.query(findContents(patientId, seqs));
  const times = new Map(
    contents.map(({ seq, hash, body }) => [
      `${seq} ${hash}`,
      trustTime(readLastUpdated(parseResource(body)), now),
    ]),
  );
  return planRemoval(rows, (seq, hash) => times.get(`${seq} ${hash}`) ?? '');
}
