import type { DataMask } from '../../../contract/brands.ts';
import type { Details, Kind } from '../entries/entry.ts';
import { WHEN } from '../entries/entry-base.ts';
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
  /**
   * `code …`, `id …`, `text …`, `copy …`, `whole …`: what else names it (`collectAlternateNames`, `buildContentNames`). Besides,
   * `when …` and `kind alone` (`entry-base.ts`).
   */
  names: readonly string[] | null;
  dayText: string | null;
  time: string | null;
  endText: string | null;
  status: string | null;
  current: boolean;
  groupKey: string;
  visit: string | null;
  /** What a consent must not cover for it to be shown: a fuller entry of the same resource. */
  unlessCovered: readonly DataMask[] | null;
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
  steps: toDateSteps({ dayText: endText, time: null, names: null }, { maxPrecision: 'day', open: true }),
  differing: 'contradiction',
});

type Dated = Pick<ComparedEntry, 'dayText' | 'time' | 'names'>;

/**
 * The steps of a date up to "2021-03-05 14:05" or `maxPrecision`; an `open` date may be missing on the other side. A date in words
 * ("about 2001", "age 5 years") is a date that differs from every other, and no absent one.
 */
export function toDateSteps(
  entry: Dated,
  { maxPrecision, open = false }: { maxPrecision: 'day' | 'time'; open?: boolean },
): Steps {
  const words = collectWhenWords(entry);
  const dayText = entry.dayText ?? (WRITTEN_DATE.test(words) ? words : null);
  const time = entry.dayText === null ? null : entry.time;
  if (dayText === null)
    return words === '' ? [open ? '' : 'undated'] : [open ? '' : 'dated', `in words: ${words}`];
  const steps = [open ? '' : 'dated', dayText.slice(0, 4)];
  if (dayText.length > 4) steps.push(dayText.slice(0, 7));
  if (dayText.length > 7) steps.push(dayText);
  if (maxPrecision === 'time' && dayText.length > 7 && time !== null) steps.push(`${dayText} ${time}`);
  return steps;
}

/** A text of which FHIR would have made a date: `onsetString: "1968"`. */
const WRITTEN_DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;

const collectWhenWords = ({ names }: Pick<ComparedEntry, 'names'>): string =>
  (names ?? [])
    .flatMap((name) => (name.startsWith(WHEN) ? normalizeWhen(name.slice(WHEN.length)) : []))
    .join('; ');

/** "Age 5.0  years." is "age 5 years"; a date stays as it is. */
const normalizeWhen = (text: string): string =>
  WRITTEN_DATE.test(text.trim()) ? text.trim() : normalizeWords(text);

/** Builds the facet of a date in words, which stands beside the day on which somebody wrote it down. */
export const toWhenFacet = (entry: Pick<ComparedEntry, 'names'>): Facet =>
  toFacet(collectWhenWords(entry), 'two facts');

/** The steps of a dated entry that are a day, and a minute. */
export const DAY = 3;
export const MINUTE = 4;
