import { findMatches, findConflicts, buildItems, type Item, type Pair } from './compare.ts';
import { iterateInTurns } from './iterate-in-turns.ts';
import { compareRank } from './order.ts';
import type { ComparedRow } from './statement.ts';

/** Another entry that tells of the same fact, from another source. */
export interface Match {
  seq: number;
  ordinal: number;
  /** What a consent must cover for the link to be known. */
  needs: number;
  /** Shown with this one; contradicts it; or is shown in its place. */
  link: 'same' | 'differs' | 'better';
  /** `needs` of entries each of which explains the difference: its source tells the same as well. */
  unless: number[];
}

/** What is kept of an entry's links. */
export interface EntryMatches {
  seq: number;
  ordinal: number;
  /** In the order in which they are shown. */
  matches: Match[];
  /** `needs` of those that are shown in its place. */
  supersededBy: number[];
}

/** Neighbours of each entry. */
type Links = ReadonlyMap<Item, ReadonlySet<Item>>;

/** Whoever sees the one sees the other. */
const isSubset = (other: number, one: number): boolean => (other & ~one) === 0;

/**
 * Which entries of one kind tell the same, which contradict each other, and which is shown. Depends on pairs of entries
 * alone: what a consent withholds could as well not be there.
 */
export async function matchEntries(entries: readonly ComparedRow[]): Promise<EntryMatches[]> {
  const items = await buildItems(entries);
  const { same, betterThan } = linkPairs(await findMatches(items));
  const differing = collectNeighbours(await findConflicts(items));
  const known = { same, betterThan, worseThan: reverseLinks(betterThan), differing };
  const touched = new Set([...same.keys(), ...known.worseThan.keys(), ...differing.keys()]);
  const results: EntryMatches[] = [];
  for await (const item of iterateInTurns(touched)) results.push(...buildMatches(item, known));
  return results;
}

/** Those that tell the same, and of each those that tell it better. */
function linkPairs(pairs: readonly Pair[]): { same: Links; betterThan: Links } {
  const same = new Map<Item, Set<Item>>();
  const betterThan = new Map<Item, Set<Item>>();
  for (const { one, other, within } of pairs) {
    const isFirst = compareRank(one, other) < 0;
    // A part is told by its panel, and never tells the panel.
    if (within && !isFirst) continue;
    if (!within) {
      addLink(same, one, other);
      addLink(same, other, one);
    }
    if (isFirst) addLink(betterThan, other, one);
    else addLink(betterThan, one, other);
    if (within) addLink(same, other, one);
  }
  return { same, betterThan };
}

function collectNeighbours(pairs: readonly Pair[]): Links {
  const links = new Map<Item, Set<Item>>();
  for (const { one, other } of pairs) {
    addLink(links, one, other);
    addLink(links, other, one);
  }
  return links;
}

function reverseLinks(links: Links): Links {
  const back = new Map<Item, Set<Item>>();
  for (const [from, all] of links) for (const to of all) addLink(back, to, from);
  return back;
}

function addLink(links: Map<Item, Set<Item>>, from: Item, to: Item): void {
  const known = links.get(from);
  if (known) known.add(to);
  else links.set(from, new Set([to]));
}

interface LinkIndex {
  same: Links;
  betterThan: Links;
  worseThan: Links;
  differing: Links;
}

function buildMatches(item: Item, known: LinkIndex): EntryMatches[] {
  const { seq, ordinal, requiredLabels } = item.entry;
  const better = dropCovered([...(known.betterThan.get(item) ?? [])].sort(compareRank));
  const isNeverShown = better.some((each) => isSubset(each.entry.requiredLabels, requiredLabels));
  const matches = [
    ...better.map((each) => toMatch(each, { link: 'better', needs: each.entry.requiredLabels })),
    ...(isNeverShown ? [] : [...listSuperseded(item, known), ...listConflicts(item, known)]),
  ];
  const supersededBy = [...new Set(better.map((each) => each.entry.requiredLabels))].sort((a, b) => a - b);
  return matches.length === 0 ? [] : [{ seq, ordinal, matches, supersededBy }];
}

const toMatch = ({ entry }: Item, link: Pick<Match, 'link' | 'needs'>): Match => ({
  seq: entry.seq,
  ordinal: entry.ordinal,
  unless: [],
  ...link,
});

/** Without those that are seen only by who sees an earlier one: of a fact in a hundred documents one is left. */
function dropCovered(sorted: readonly Item[]): Item[] {
  const remaining: Item[] = [];
  for (const each of sorted)
    if (!remaining.some(({ entry }) => isSubset(entry.requiredLabels, each.entry.requiredLabels)))
      remaining.push(each);
  return remaining;
}

/** All that this one stands for, also by way of another: each is known to who sees all of the way. */
function listSuperseded(item: Item, { worseThan }: LinkIndex): Match[] {
  const found = new Map<Item, number>();
  const pending: [Item, number][] = [[item, 0]];
  for (const [current, needs] of pending)
    for (const other of worseThan.get(current) ?? []) {
      if (found.has(other)) continue;
      found.set(other, needs | other.entry.requiredLabels);
      pending.push([other, needs | other.entry.requiredLabels]);
    }
  return [...found]
    .sort(([one], [other]) => compareRank(one, other))
    .map(([other, needs]) => toMatch(other, { link: 'same', needs }));
}

function listConflicts(item: Item, { same, differing }: LinkIndex): Match[] {
  return [...(differing.get(item) ?? [])].sort(compareRank).flatMap((other) => {
    if (same.get(item)?.has(other)) return [];
    const unless = [...listExplanations(item, other, same), ...listExplanations(other, item, same)];
    if (unless.some((needs) => isSubset(needs, item.entry.requiredLabels | other.entry.requiredLabels)))
      return [];
    const link = toMatch(other, { link: 'differs', needs: other.entry.requiredLabels });
    return [{ ...link, unless: [...new Set(unless)].sort((a, b) => a - b) }];
  });
}

/** What the source of `other` says that is the same as `item`: then `other` is one more fact. */
const listExplanations = (item: Item, other: Item, same: Links): number[] =>
  [...(same.get(item) ?? [])]
    .filter(({ entry }) => entry.sourceKey === other.entry.sourceKey)
    .map(({ entry }) => entry.requiredLabels);
