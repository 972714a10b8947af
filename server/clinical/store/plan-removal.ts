import type { BatchId } from '../../../contract/brands.ts';
import type { BroughtResource } from './batch-resources.sql.ts';

/** What becomes of the resources of a batch that is taken out. */
export interface RemovalPlan {
  /** Nobody else brought them. */
  gone: BroughtResource[];
  /** Others brought them: `hash` is the content that they get back, null where it stays as it is. */
  left: { row: BroughtResource; first: BatchId; last: BatchId; hash: string | null }[];
}

/**
 * Decides what becomes of each resource: it has the content that the last of the other batches brought, as far as that is
 * kept. Where none of theirs is (a connected server's earlier states are not), the resource goes, as its content would
 * otherwise stay.
 */
export function planRemoval(rows: readonly BroughtResource[]): RemovalPlan {
  const plan: RemovalPlan = { gone: [], left: [] };
  for (const row of rows) {
    const first = row.others[0]?.batchId;
    const last = row.others.findLast(({ isKept }) => isKept);
    if (first === undefined || last === undefined) plan.gone.push(row);
    else plan.left.push({ row, first, last: last.batchId, hash: last.hash === row.hash ? null : last.hash });
  }
  return plan;
}
