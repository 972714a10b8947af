import type { DataMask } from '../../../contract/brands.ts';
import type { Details, Kind } from '../entries/entry.ts';
import { normalizeWords } from './normalize-value.ts';

/** An entry as it is compared with those of other sources. */
export type ComparedEntry = {
  [K in Kind]: ComparedBase & { kind: K; detail: Details[K] };
}[Kind];

interface ComparedBase {
  seq: number;
  ordinal: number;
  requiredLabels: DataMask;
  /** The server it is from, or the document of one upload. */
  sourceKey: string;
  title: string;
  code: string | null;
  /** `code …`, `id …`, `text …`, `copy …`, `whole …`: what else names it (`collectAlternateNames`, `buildContentNames`). */
  names: readonly string[] | null;
  dayText: string | null;
  time: string | null;
  endText: string | null;
  status: string | null;
  current: boolean;
  groupKey: string;
  visit: string | null;
  reference: string;
  documentPath: string;
}

export type EntryOfKind<K extends Kind> = Extract<ComparedEntry, { kind: K }>;

/** An entry as the store returns it, its detail as JSON. */
export type ComparedRow = Omit<ComparedEntry, 'detail'> & { detail: string | null };

/**
 * A value in several steps of precision, the least precise first: "2021", "2021-03", "2021-03-05". Two values agree when they
 * are equal at the step of the less precise one; a value that begins with an empty step agrees with one that is missing.
 */
export type Steps = readonly string[];

/** The last step of each dimension that is compared: the date, then the facets. */
export type Precision = readonly number[];

export interface Facet {
  steps: Steps;
  /** What a difference means where both have a value: a contradiction about one fact, or two facts. */
  differing: 'contradiction' | 'two facts';
}

/** What an entry states: two of different sources that share a name and agree in all else state the same fact. */
export interface Statement {
  /** Any of them is enough. `code`, `title`, `vital`, `text`; `id`, `class`, `copy` and `whole` under conditions of their own. */
  names: readonly string[];
  /** Must always be equal: an order is compared with an order, not with a dose that was given. */
  role: string;
  when: Steps;
  facets: readonly Facet[];
  /** Only what is dated alike may contradict: two readings of one day do not. */
  requiresSameDate: boolean;
  /** Results within this one that other sources may state as results of their own. */
  parts: readonly Pick<Statement, 'names' | 'facets'>[];
}

/** Says what an entry of a kind states; names, role and the like only where they are other than usual. */
export type Rule<K extends Kind> = (
  entry: EntryOfKind<K>,
) => Pick<Statement, 'when' | 'facets'> & Partial<Statement>;

/** Builds a facet of one step; a missing value agrees with any. */
export const toFacet = (value: string | null, differing: Facet['differing'] = 'contradiction'): Facet => ({
  steps: value === null || value === '' ? [''] : ['', value],
  differing,
});

/** Builds a facet of what makes two facts of two entries of one name, where both state it. */
export const toDistinction = (...words: readonly (string | null | undefined)[]): Facet =>
  toFacet(words.flatMap((each) => (each ? normalizeWords(each) : [])).join('; '), 'two facts');

/** Builds a facet of the day on which something ended, in the precision in which it is written. */
export const toEndFacet = (endText: string | null): Facet => ({
  steps: toDateSteps({ dayText: endText, time: null }, { maxPrecision: 'day', open: true }),
  differing: 'contradiction',
});

/** The steps of a date up to "2021-03-05 14:05" or `maxPrecision`; an `open` date may be missing on the other side. */
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

/** The steps of a dated entry that are a day, and a minute. */
export const DAY = 3;
export const MINUTE = 4;
