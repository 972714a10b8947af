import type { DataMask } from '../../../contract/brands.ts';
import { combineMasks, NO_LABELS } from '../../consent/access/sensitivity-labels.ts';
import type { NameComparer } from '../concepts/compare-names.ts';
import { findConflicts, findMatches, type CanBeOne, type Pair } from './compare.ts';
import { buildItems, type Item } from './items.ts';
import { iterateInTurns } from './iterate-in-turns.ts';
import { hasNameConflict } from './names.ts';
import { compareRank } from './rank.ts';
import type { ComparedRow } from './statement.ts';

/** Another entry about the same fact, of another source. */
export interface Match {
  seq: number;
  ordinal: number;
  /** What a consent must cover for the link to be known. */
  needs: DataMask;
  /** `same`: shown with this one; `differs`: contradicts it; `better`: shown in its place. */
  link: 'same' | 'differs' | 'better';
  /**
   * Masks of entries each of which leaves no link where the consent covers it: one whose source states the same as well, so that
   * there is no difference; one that says more and stands for the same; a fuller entry of the other's resource.
   */
  unless: DataMask[];
}

/** The links of one entry, as they are stored. */
export interface EntryMatches {
  seq: number;
  ordinal: number;
  /** In the order in which they are shown. */
  matches: Match[];
  /** Masks of the entries that are shown in its place. */
  supersededBy: DataMask[];
}

/** The neighbours of each entry. */
type Links = ReadonlyMap<Item, ReadonlySet<Item>>;

interface LinkIndex {
  same: Links;
  betterThan: Links;
  worseThan: Links;
  differing: Links;
  /** All that each entry that may be shown stands for. */
  superseded: ReadonlyMap<Item, Superseded>;
  /** The entries that stand for each, the one that says most first. */
  representatives: ReadonlyMap<Item, readonly Item[]>;
}

/** What an entry stands for, with what a consent must cover for that to be known. */
type Superseded = ReadonlyMap<Item, DataMask>;

/** Whether whoever sees an entry that requires `labels` sees one that requires `others` too. */
const isSubset = (others: DataMask, labels: DataMask): boolean => (others & ~labels) === 0;

/**
 * Returns which entries of one kind state the same fact, which contradict each other, and which is shown. Every link
 * depends on a pair of entries alone, so that what a consent withholds could as well not be there.
 */
export async function matchEntries(
  rows: readonly ComparedRow[],
  comparer: NameComparer,
): Promise<EntryMatches[]> {
  const items = await buildItems(rows);
  const canBeOne: CanBeOne = (one, other) => !hasNameConflict(one, other, comparer);
  const { same, betterThan } = rankPairs(await findMatches(items, canBeOne));
  const differing = linkBothWays(await findConflicts(items, canBeOne));
  const worseThan = reverseLinks(betterThan);
  const linked = new Set([...same.keys(), ...worseThan.keys(), ...differing.keys()]);
  const superseded = new Map<Item, Superseded>();
  for await (const item of iterateInTurns(linked))
    if (!isNeverShown(item, listBetter(item, betterThan)))
      superseded.set(item, findSuperseded(item, worseThan));
  const links: LinkIndex = {
    same,
    betterThan,
    worseThan,
    differing,
    superseded,
    representatives: findRepresentatives(superseded),
  };
  const results: EntryMatches[] = [];
  for await (const item of iterateInTurns(linked)) {
    const entry = buildMatches(item, links);
    if (entry.matches.length > 0) results.push(entry);
  }
  return results;
}

/** Decides for each pair which of the two is shown. */
function rankPairs(pairs: readonly Pair[]): Pick<LinkIndex, 'same' | 'betterThan'> {
  const same = new Map<Item, Set<Item>>();
  const betterThan = new Map<Item, Set<Item>>();
  for (const { one, other, isWithin } of pairs) {
    const isOneBetter = compareRank(one, other) < 0;
    // A panel stands for its part, and never a part for its panel.
    if (isWithin && !isOneBetter) continue;
    addLink(same, other, one);
    if (!isWithin) addLink(same, one, other);
    if (isOneBetter) addLink(betterThan, other, one);
    else addLink(betterThan, one, other);
  }
  return { same, betterThan };
}

function linkBothWays(pairs: readonly Pair[]): Links {
  const links = new Map<Item, Set<Item>>();
  for (const { one, other } of pairs) {
    addLink(links, one, other);
    addLink(links, other, one);
  }
  return links;
}

function reverseLinks(links: Links): Links {
  const reversed = new Map<Item, Set<Item>>();
  for (const [from, all] of links) for (const to of all) addLink(reversed, to, from);
  return reversed;
}

function addLink(links: Map<Item, Set<Item>>, from: Item, to: Item): void {
  const known = links.get(from);
  if (known) known.add(to);
  else links.set(from, new Set([to]));
}

const listBetter = (item: Item, betterThan: Links): Item[] =>
  dropCovered([...(betterThan.get(item) ?? [])].sort(compareRank));

/** Whether whoever sees an entry sees one that is shown in its place. */
const isNeverShown = ({ entry: { requiredLabels } }: Item, better: readonly Item[]): boolean =>
  better.some(({ entry }) => isSubset(entry.requiredLabels, requiredLabels));

/** Finds for each entry all that stand for it. */
function findRepresentatives(superseded: LinkIndex['superseded']): Map<Item, Item[]> {
  const found = new Map<Item, Item[]>();
  for (const [item, others] of superseded)
    for (const other of others.keys()) {
      const known = found.get(other);
      if (known) known.push(item);
      else found.set(other, [item]);
    }
  for (const all of found.values()) all.sort(compareRank);
  return found;
}

function buildMatches(item: Item, links: LinkIndex): EntryMatches {
  const { seq, ordinal } = item.entry;
  const better = listBetter(item, links.betterThan);
  return {
    seq,
    ordinal,
    matches: [
      ...better.map((each) => toMatch(each, { link: 'better', needs: each.entry.requiredLabels })),
      ...(links.superseded.has(item) ? [...listSuperseded(item, links), ...listConflicts(item, links)] : []),
    ],
    supersededBy: toMasks(better.map(({ entry }) => entry.requiredLabels)),
  };
}

const toMatch = ({ entry }: Item, link: Pick<Match, 'link' | 'needs'>): Match => ({
  seq: entry.seq,
  ordinal: entry.ordinal,
  unless: [...(entry.unlessCovered ?? [])],
  ...link,
});

const toMasks = (masks: readonly DataMask[]): DataMask[] => [...new Set(masks)].sort((a, b) => a - b);

/** Leaves out those that are seen only by who sees an earlier one: of a fact in a hundred documents one is left. */
function dropCovered(sorted: readonly Item[]): Item[] {
  const remaining: Item[] = [];
  for (const each of sorted)
    if (!remaining.some(({ entry }) => isSubset(entry.requiredLabels, each.entry.requiredLabels)))
      remaining.push(each);
  return remaining;
}

/** Finds the transitive closure: all that this entry stands for, also by way of another, known to who sees all on the way. */
function findSuperseded(item: Item, worseThan: Links): Superseded {
  const found = new Map<Item, DataMask>();
  const pending: [Item, DataMask][] = [[item, NO_LABELS]];
  for (const [current, needs] of pending)
    for (const other of worseThan.get(current) ?? []) {
      if (found.has(other)) continue;
      const combined = combineMasks(needs, other.entry.requiredLabels);
      found.set(other, combined);
      pending.push([other, combined]);
    }
  return found;
}

const listSuperseded = (item: Item, links: LinkIndex): Match[] =>
  [...(links.superseded.get(item) ?? [])]
    .sort(([one], [other]) => compareRank(one, other))
    .map(([other, needs]) => {
      const match = toMatch(other, { link: 'same', needs });
      return { ...match, unless: toMasks([...match.unless, ...listFuller(item, other, links)]) };
    });

/**
 * The masks under which another entry stands for `other` that says more than `item`, and is another fact: an undated condition
 * agrees with those of four dates, and is named at one of them.
 */
const listFuller = (item: Item, other: Item, { representatives, superseded }: LinkIndex): DataMask[] => {
  const all = representatives.get(other) ?? [];
  return all.slice(0, all.indexOf(item)).flatMap((fuller) => {
    const isSameFact =
      superseded.get(fuller)?.has(item) === true || superseded.get(item)?.has(fuller) === true;
    const needs = superseded.get(fuller)?.get(other) ?? NO_LABELS;
    return isSameFact ? [] : combineMasks(fuller.entry.requiredLabels, needs);
  });
};

/** The contradictions that nothing explains to whoever sees both sides. */
function listConflicts(item: Item, { same, differing }: LinkIndex): Match[] {
  return [...(differing.get(item) ?? [])].sort(compareRank).flatMap((other) => {
    if (same.get(item)?.has(other)) return [];
    const unless = [...listExplanations(item, other, same), ...listExplanations(other, item, same)];
    const labels = combineMasks(item.entry.requiredLabels, other.entry.requiredLabels);
    if (unless.some((needs) => isSubset(needs, labels))) return [];
    const link = toMatch(other, { link: 'differs', needs: other.entry.requiredLabels });
    return [{ ...link, unless: toMasks([...link.unless, ...unless]) }];
  });
}

/** The masks of what the source of `other` states that is the same as `item`: then `other` is one more fact. */
const listExplanations = (item: Item, other: Item, same: Links): DataMask[] =>
  [...(same.get(item) ?? [])]
    .filter(({ entry }) => entry.sourceKey === other.entry.sourceKey)
    .map(({ entry }) => entry.requiredLabels);
