import type { Details, Kind } from '../entries/entry.ts';

/** An entry as it is compared with those of other sources. */
export type ComparedEntry = {
  [K in Kind]: ComparedBase & { kind: K; detail: Details[K] };
}[Kind];

interface ComparedBase {
  seq: number;
  ordinal: number;
  requiredLabels: number;
  /** The server, or the document of one upload, that tells it. */
  sourceKey: string;
  title: string;
  code: string | null;
  /** `code …`, `id …`, `text …`, `whole …`, as an entry is projected. */
  names: readonly string[] | null;
  dayText: string | null;
  time: string | null;
  status: string | null;
  current: boolean;
  groupKey: string;
  visit: string | null;
  reference: string;
  documentPath: string;
}

/** The same as it is read from the store, its detail as JSON. */
export type ComparedRow = Omit<ComparedEntry, 'detail'> & { detail: string | null };

/**
 * What is told in several steps of exactness, the least exact first: "2021", "2021-03", "2021-03-05". Two agree when they
 * say the same at the step of the less exact one; what begins with an empty step agrees with what is not told at all.
 */
export type Steps = readonly string[];

export interface Facet {
  steps: Steps;
  /** What it means when both tell it and differ: a contradiction about one fact, or two facts. */
  differing: 'contradiction' | 'two facts';
}

/** What an entry says: two of different sources that share a name and agree in all else say the same. */
export interface Statement {
  /** Any of them is enough. `code`, `title`, `vital`, `text`; `id`, `class` and `whole` under conditions of their own. */
  names: readonly string[];
  /** Must be equal, always. */
  role: string;
  when: Steps;
  facets: readonly Facet[];
  /** Contradictions are told only of what is dated alike: two readings of one day are none. */
  requiresSameDate: boolean;
  /** Results within this one that others may tell as results of their own. */
  parts: readonly Pick<Statement, 'names' | 'facets'>[];
}

/** Agrees with whatever it is compared with. */
export const toFacet = (value: string | null, differing: Facet['differing'] = 'contradiction'): Facet => ({
  steps: value === null || value === '' ? [''] : ['', value],
  differing,
});

/** "2021-03-05 14:05", or less of it; `most` is the last step that counts. */
export function toDateSteps(
  { dayText, time }: Pick<ComparedEntry, 'dayText' | 'time'>,
  { maxPrecision, open = false }: { maxPrecision: 'day' | 'time'; open?: boolean },
): Steps {
  if (dayText === null) return [open ? '' : 'undated'];
  const steps = [open ? '' : 'dated', dayText.slice(0, 4)];
  if (dayText.length > 4) steps.push(dayText.slice(0, 7));
  if (dayText.length > 7) steps.push(dayText);
  if (maxPrecision === 'time' && dayText.length > 7 && time !== null) steps.push(`${dayText} ${time}`);
  return steps;
}

/** The steps of `dated` that are a day, and a moment. */
export const DAY = 3;
export const MINUTE = 4;
