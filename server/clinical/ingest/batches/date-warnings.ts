import { listUnreadDates } from '../../entries/unread-dates.ts';
import type { Rejection } from '../archive/member.ts';
import type { ResourceAt } from '../import/read-facts.ts';

export interface DateWarnings {
  /** Passes resources on, and counts those with a date that is none. */
  observe(resources: AsyncIterable<ResourceAt>): AsyncGenerator<ResourceAt>;
  /** One for each file that has such resources. */
  list(): Rejection[];
}

/** Files that are named; a batch of thousands says no more with each. */
const MAX_FILES = 100;

/** Says of which files entries have no place in time because of how their dates are written. */
export function createDateWarnings(): DateWarnings {
  const counts = new Map<string, number>();
  return {
    async *observe(resources) {
      for await (const located of resources) {
        if (listUnreadDates(located.found.resource).length > 0)
          counts.set(located.path, (counts.get(located.path) ?? 0) + 1);
        yield located;
      }
    },
    list: () => [...counts].slice(0, MAX_FILES).map(([path, count]) => toWarning(path, count)),
  };
}

const toWarning = (path: string, count: number): Rejection => ({
  path,
  code: 'dates_not_read',
  message: `${count === 1 ? '1 entry has a date that is' : `${count} entries have dates that are`} not written as FHIR writes dates (2026-03-08), or no day of the calendar; such a date is shown as it was written, and has no place in time.`,
});
