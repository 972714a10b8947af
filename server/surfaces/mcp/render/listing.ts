import type { Kind } from '../../../clinical/entries/entry.ts';
import type { EntryFilter, GroupInForce, StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { formatThings } from './format-number.ts';
import type { Block, Counted } from './markdown.ts';
import type { DrugEnds } from './medications.ts';
import type { Window } from './window.ts';

/** What the whole record says of what is in force. */
export interface InForce {
  /** Of entries that were last recorded long ago: the day they were, by group key. */
  stale: ReadonlyMap<string, string>;
  groups: ReadonlyMap<string, GroupInForce>;
  /** Of medications: by which other record a drug in force was stopped or held, by group key. */
  ends: DrugEnds;
  /** "died on 2024-03-03"; null of the living. */
  death: string | null;
}

/** What the sections of a history are rendered with, besides their entries. */
export interface Listing<K extends Kind> {
  window: Window;
  inForce: InForce;
  /** Entries that belong to this answer and do not fit it: headings count them too. */
  omitted: readonly StoredEntry<K>[];
}

export interface HistoryOptions<K extends Kind> {
  title: string;
  /** The entries' name in the plural: "laboratory results". */
  plural: string;
  subject: EntryFilter<K>;
  /** What of them is asked for: " of “A1c”"; absent: nothing is filtered, and what comes later is said. */
  only?: string | undefined;
  window: Window;
  /** What a reader must not conclude when there are no entries. */
  absenceNote?: string;
  /** What to try where nothing of what is asked for is found, though there is something else. */
  hint?: string;
  /** Which of what is shown whatever its date comes first where not all fits; absent: the newest. */
  byWeight?(one: StoredEntry<K>, other: StoredEntry<K>): number;
  /** How a caller reaches what does not fit an answer; absent: by `search`. */
  narrower?: string;
  /** The sections below the title; entries come newest first, undated ones last. */
  render(entries: StoredEntry<K>[], listing: Listing<K>): Block;
}

/** Groups the entries of a history by their section, and counts those of each that do not fit. */
export function groupListed<E, G extends string>(
  entries: readonly E[],
  omitted: readonly E[],
  classify: (entry: E) => G,
): (group: G, things?: Things<E>) => Counted<E> {
  const listed = Map.groupBy(entries, classify);
  const others = Map.groupBy(omitted, classify);
  return (group, things) => {
    const items = listed.get(group) ?? [];
    const rest = others.get(group) ?? [];
    return {
      items,
      omitted: rest.length,
      ...(things && { size: countThings([...items, ...rest], things) }),
    };
  };
}

/** What the records under one heading are of, as the summary counts them. */
interface Things<E> {
  noun: readonly [one: string, many: string];
  getKey(entry: E): string;
}

const countThings = <E>(entries: readonly E[], { noun, getKey }: Things<E>): string =>
  formatThings(new Set(entries.map(getKey)).size, entries.length, noun);
