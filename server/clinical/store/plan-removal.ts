import type { BatchId } from '../../../contract/brands.ts';
import type { BroughtResource, OtherBringer } from './batch-resources.sql.ts';

/** What becomes of the resources of a batch that is taken out. */
export interface RemovalPlan {
  /** Nobody else brought them. */
  gone: BroughtResource[];
  /** Others brought them: `hash` is the content that they get back, null where it stays as it is. */
  left: { row: BroughtResource; first: BatchId; last: BatchId; hash: string | null }[];
}

/** Returns `meta.lastUpdated` of a content that is kept, in UTC, or ''. */
export type GetLastUpdated = (seq: number, hash: string) => string;

/**
 * Decides what becomes of each resource: it has the content that it would have, had the batch never come: the one that the last of
 * the others brought, as far as that is kept, unless it says itself that it is older than one before. Where none of
 * theirs is kept (a connected server's earlier states are not), the resource goes, as its content would otherwise stay.
 */
export function planRemoval(rows: readonly BroughtResource[], getLastUpdated: GetLastUpdated): RemovalPlan {
  const plan: RemovalPlan = { gone: [], left: [] };
  for (const row of rows) {
    const first = row.others[0]?.batchId;
    const last = findLast(row, getLastUpdated);
    if (first === undefined || last === undefined) plan.gone.push(row);
    else plan.left.push({ row, first, last: last.batchId, hash: last.hash === row.hash ? null : last.hash });
  }
  return plan;
}

const findLast = (
  { seq, others }: BroughtResource,
  getLastUpdated: GetLastUpdated,
): OtherBringer | undefined =>
  others
    .filter(({ isKept }) => isKept)
    .reduce<OtherBringer | undefined>((last, each) => {
      const isOlder = last && isOlderVersion(getLastUpdated(seq, each.hash), getLastUpdated(seq, last.hash));
      return isOlder === true ? last : each;
    }, undefined);

/** Says whether a content is older than another by `meta.lastUpdated` of both; null where that says nothing. */
export const isOlderVersion = (lastUpdated: string, other: string): boolean | null =>
  lastUpdated === '' || other === '' || lastUpdated === other ? null : lastUpdated < other;

const MAX_CLOCK_SKEW_MS = 24 * 3600_000;

/** Returns a time as it counts: one that has not come yet is of a clock that is wrong, and would keep out all that comes later. */
export const trustTime = (lastUpdated: string, now: Date): string =>
  lastUpdated > new Date(now.getTime() + MAX_CLOCK_SKEW_MS).toISOString() ? '' : lastUpdated;
