import { agreements, contradictions, itemsOf, type Item, type Pair } from './compare.ts';
import { inTurns } from './in-turns.ts';
import { inOrder } from './order.ts';
import type { StoredForComparison } from './statement.ts';

/** Another entry that tells of the same fact, from another source. */
export interface Elsewhere {
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
export interface Mark {
  seq: number;
  ordinal: number;
  /** In the order in which they are shown. */
  elsewhere: Elsewhere[];
  /** `needs` of those that are shown in its place. */
  insteadOf: number[];
}

/** Neighbours of each entry. */
type Links = ReadonlyMap<Item, ReadonlySet<Item>>;

/** Whoever sees the one sees the other. */
const covers = (other: number, one: number): boolean => (other & ~one) === 0;

/**
 * Which entries of one kind tell the same, which contradict each other, and which is shown. Depends on pairs of entries
 * alone: what a consent withholds could as well not be there.
 */
export async function marksOf(entries: readonly StoredForComparison[]): Promise<Mark[]> {
  const items = await itemsOf(entries);
  const { same, betterThan } = linked(await agreements(items));
  const differing = neighbours(await contradictions(items));
  const known = { same, betterThan, worseThan: reversed(betterThan), differing };
  const touched = new Set([...same.keys(), ...known.worseThan.keys(), ...differing.keys()]);
  const marks: Mark[] = [];
  for await (const item of inTurns(touched)) marks.push(...markOf(item, known));
  return marks;
}

/** Those that tell the same, and of each those that tell it better. */
function linked(pairs: readonly Pair[]): { same: Links; betterThan: Links } {
  const same = new Map<Item, Set<Item>>();
  const betterThan = new Map<Item, Set<Item>>();
  for (const { one, other, within } of pairs) {
    const isFirst = inOrder(one, other) < 0;
    // A part is told by its panel, and never tells the panel.
    if (within && !isFirst) continue;
    if (!within) {
      add(same, one, other);
      add(same, other, one);
    }
    if (isFirst) add(betterThan, other, one);
    else add(betterThan, one, other);
    if (within) add(same, other, one);
  }
  return { same, betterThan };
}

function neighbours(pairs: readonly Pair[]): Links {
  const links = new Map<Item, Set<Item>>();
  for (const { one, other } of pairs) {
    add(links, one, other);
    add(links, other, one);
  }
  return links;
}

function reversed(links: Links): Links {
  const back = new Map<Item, Set<Item>>();
  for (const [from, all] of links) for (const to of all) add(back, to, from);
  return back;
}

function add(links: Map<Item, Set<Item>>, from: Item, to: Item): void {
  const known = links.get(from);
  if (known) known.add(to);
  else links.set(from, new Set([to]));
}

interface Known {
  same: Links;
  betterThan: Links;
  worseThan: Links;
  differing: Links;
}

function markOf(item: Item, known: Known): Mark[] {
  const { seq, ordinal, needs } = item.entry;
  const better = needed([...(known.betterThan.get(item) ?? [])].sort(inOrder));
  const isNeverShown = better.some((each) => covers(each.entry.needs, needs));
  const elsewhere = [
    ...better.map((each) => linkTo(each, { link: 'better', needs: each.entry.needs })),
    ...(isNeverShown ? [] : [...told(item, known), ...contradicting(item, known)]),
  ];
  const insteadOf = [...new Set(better.map((each) => each.entry.needs))].sort((a, b) => a - b);
  return elsewhere.length === 0 ? [] : [{ seq, ordinal, elsewhere, insteadOf }];
}

const linkTo = ({ entry }: Item, link: Pick<Elsewhere, 'link' | 'needs'>): Elsewhere => ({
  seq: entry.seq,
  ordinal: entry.ordinal,
  unless: [],
  ...link,
});

/** Without those that are seen only by who sees an earlier one: of a fact in a hundred documents one is left. */
function needed(inTheirOrder: readonly Item[]): Item[] {
  const kept: Item[] = [];
  for (const each of inTheirOrder)
    if (!kept.some(({ entry }) => covers(entry.needs, each.entry.needs))) kept.push(each);
  return kept;
}

/** All that this one stands for, also by way of another: each is known to who sees all of the way. */
function told(item: Item, { worseThan }: Known): Elsewhere[] {
  const found = new Map<Item, number>();
  const waiting: [Item, number][] = [[item, 0]];
  for (const [here, needs] of waiting)
    for (const other of worseThan.get(here) ?? []) {
      if (found.has(other)) continue;
      found.set(other, needs | other.entry.needs);
      waiting.push([other, needs | other.entry.needs]);
    }
  return [...found]
    .sort(([one], [other]) => inOrder(one, other))
    .map(([other, needs]) => linkTo(other, { link: 'same', needs }));
}

function contradicting(item: Item, { same, differing }: Known): Elsewhere[] {
  return [...(differing.get(item) ?? [])].sort(inOrder).flatMap((other) => {
    if (same.get(item)?.has(other)) return [];
    const unless = [...explaining(item, other, same), ...explaining(other, item, same)];
    if (unless.some((needs) => covers(needs, item.entry.needs | other.entry.needs))) return [];
    const link = linkTo(other, { link: 'differs', needs: other.entry.needs });
    return [{ ...link, unless: [...new Set(unless)].sort((a, b) => a - b) }];
  });
}

/** What the source of `other` says that is the same as `item`: then `other` is one more fact. */
const explaining = (item: Item, other: Item, same: Links): number[] =>
  [...(same.get(item) ?? [])]
    .filter(({ entry }) => entry.toldBy === other.entry.toldBy)
    .map(({ entry }) => entry.needs);
