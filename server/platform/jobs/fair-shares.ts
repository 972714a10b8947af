import type { FullShare, JobRow } from './jobs.sql.ts';

/** How many jobs of a pool may run at a time whose payloads have the same value, so that others have their turn. */
export interface FairShare {
  /** Of the payload; its value is a text, such as the id of an organization. A job without it counts for nobody. */
  key: string;
  max: number;
}

export interface FairShares {
  /** Lists what has its share, key by key, the jobs of `claimed` included. */
  listFull(claimed: readonly JobRow[]): FullShare[];
  take(jobs: readonly JobRow[]): void;
  release(job: JobRow): void;
}

/** Counts the jobs of a pool by the values of its keys. */
export function createFairShares(shares: readonly FairShare[]): FairShares {
  const all = shares.map(createFairShare);
  return {
    listFull: (claimed) => all.map((share) => share.findFull(claimed)),
    take: (jobs) => all.forEach((share) => share.take(jobs)),
    release: (job) => all.forEach((share) => share.release(job)),
  };
}

function createFairShare({ key, max }: FairShare) {
  const running = new Map<string, number>();
  const readValue = ({ payload }: JobRow): string => {
    const value = (JSON.parse(payload) as Record<string, unknown> | null)?.[key];
    return typeof value === 'string' ? value : '';
  };
  const add = (counts: Map<string, number>, job: JobRow, change: number): void => {
    const value = readValue(job);
    if (value === '') return;
    const count = (counts.get(value) ?? 0) + change;
    if (count > 0) counts.set(value, count);
    else counts.delete(value);
  };
  return {
    findFull(claimed: readonly JobRow[]): FullShare {
      const counts = new Map(running);
      for (const job of claimed) add(counts, job, 1);
      return { key, values: [...counts].flatMap(([value, count]) => (count >= max ? [value] : [])) };
    },
    take: (jobs: readonly JobRow[]) => jobs.forEach((job) => add(running, job, 1)),
    release: (job: JobRow) => add(running, job, -1),
  };
}
