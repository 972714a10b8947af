import { isOfNewerVersion, isOfOlderVersion } from '../../entries/read-as-r4.ts';
import { listUnreadDates } from '../../entries/unread-dates.ts';
import type { FoundResource } from '../../store/found-resource.ts';
import type { Rejection } from '../archive/member.ts';
import type { ResourceAt } from '../import/read-facts.ts';
import { holdsFhir } from './embedded-fhir.ts';

export interface ReadingNotes {
  /** Passes resources on, and counts those of which there is something to say. */
  observe(resources: AsyncIterable<ResourceAt>): AsyncGenerator<ResourceAt>;
  /** One of each kind for each file that has such resources. */
  list(): Rejection[];
}

/** Files that are named; a batch of thousands says no more with each. */
const MAX_FILES = 100;

interface Kind {
  code: string;
  isMeant: (found: FoundResource) => boolean;
  format: (count: number) => string;
}

const KINDS: readonly Kind[] = [
  {
    code: 'dates_not_read',
    isMeant: ({ resource }) => listUnreadDates(resource).length > 0,
    format: (count) =>
      `${count === 1 ? '1 entry has a date that is' : `${count} entries have dates that are`} not written as FHIR writes dates (2026-03-08), or no day of the calendar; such a date is shown as it was written, and has no place in time.`,
  },
  {
    code: 'older_fhir_version',
    isMeant: ({ resource }) => isOfOlderVersion(resource),
    format: (count) =>
      `${count === 1 ? '1 resource is' : `${count} resources are`} of an older version of FHIR (DSTU2 or STU3) than R4. What such a resource negates, refutes and names was read by that version; other elements that R4 does not have are shown in its details only.`,
  },
  {
    code: 'newer_fhir_version',
    isMeant: ({ resource }) => isOfNewerVersion(resource),
    format: (count) =>
      `${count === 1 ? '1 resource is' : `${count} resources are`} of a newer version of FHIR (R5) than R4. What such a resource names, dates and denies was read by that version; other elements that R4 does not have are shown in its details only.`,
  },
  {
    code: 'embedded_not_read',
    isMeant: holdsFhir,
    format: (count) =>
      `${count === 1 ? '1 resource holds' : `${count} resources hold`} FHIR as content (an attachment or a Binary), which is no note. It is kept as it came, and what it says is in no tool: upload it as a file of its own.`,
  },
];

/** Says of which files entries have no place in time because of how their dates are written, are of another version of FHIR, or hold FHIR. */
export function createReadingNotes(): ReadingNotes {
  const counts = KINDS.map(() => new Map<string, number>());
  return {
    async *observe(resources) {
      for await (const located of resources) {
        for (const [index, { isMeant }] of KINDS.entries())
          if (isMeant(located.found)) countAt(counts[index] as Map<string, number>, located.path);
        yield located;
      }
    },
    list: () =>
      KINDS.flatMap(({ code, format }, index) =>
        [...(counts[index] as Map<string, number>)]
          .slice(0, MAX_FILES)
          .map(([path, count]) => ({ path, code, message: format(count) })),
      ),
  };
}

const countAt = (counts: Map<string, number>, path: string): unknown =>
  counts.set(path, (counts.get(path) ?? 0) + 1);
