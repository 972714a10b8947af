import type { ResourceAt } from '../import/read-facts.ts';

/** An archive unpacks to more than may still be kept of the patient. */
export class QuotaExceeded extends Error {
  override name = 'QuotaExceeded';
}

export interface KeptBudget {
  /** Counts bytes that are about to be kept; throws QuotaExceeded when they are more than the budget. */
  spend(bytes: number): void;
  /** Passes resources on, and counts their text. */
  meter(resources: AsyncIterable<ResourceAt>): AsyncGenerator<ResourceAt>;
}

/** Creates the budget of one archive: what its quota leaves the patient. Spent before anything is written. */
export function createKeptBudget(bytes: number): KeptBudget {
  let left = bytes;
  const spend = (amount: number): void => {
    left -= amount;
    if (left < 0) throw new QuotaExceeded();
  };
  return {
    spend,
    async *meter(resources) {
      for await (const located of resources) {
        spend(located.found.text.length);
        yield located;
      }
    },
  };
}
