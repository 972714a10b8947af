import type { JobRow } from './jobs.sql.ts';

/** How many jobs of a pool may run at a time whose payloads have the same value, so that others have their turn. */
export interface FairShare {
  /** Of the payload; its value is a text, such as the id of an organization. */
  key: string;
  max: number;
}

export interface FairShares {
  /** The values that have as many jobs as they may, those of `claimed` included. */
  listFull(claimed: readonly JobRow[]): string[];
  take(jobs: readonly JobRow[]): void;
  release(job: JobRow): void;
}

/** Counts the jobs of a pool by the value of its key. */
export function createFairShares({ key, max }: FairShare): FairShares {
  const running = new Map<string, number>();
  const readValue = ({ payload }: JobRow): string => {
    const value = (JSON.parse(payload) as Record<string, unknown> | null)?.[key];
    return typeof value === 'string' ? value : '';
  };
  const add = (counts: Map<string, number>, job: JobRow, change: number): void => {
    const value = readValue(job);
    const count = (counts.get(value) ?? 0) + change;
    if (count > 0) counts.set(value, count);
    else counts.delete(value);
  };
  return {
    listFull(claimed) {
      const counts = new Map(running);
      for (const job of claimed) add(counts, job, 1);
      return [...counts].flatMap(([value, count]) => (count >= max ? [value] : []));
    },
    take: (jobs) => jobs.forEach((job) => add(running, job, 1)),
    release: (job) => add(running, job, -1),
  };
}
