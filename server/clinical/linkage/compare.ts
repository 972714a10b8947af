import { findCandidatePairs } from './blocking.ts';
import { listAssertions, type Assertion, type Item } from './items.ts';
import { DAY, type Facet } from './statement.ts';

/** Two entries of different sources about one fact. */
export interface Pair {
  one: Item;
  other: Item;
  /** `one` is a panel, and `other` states one of its parts as a result of its own. */
  isWithin: boolean;
}

/** Whether nothing that both are called makes two things of them. */
export type CanBeOne = (one: Item, other: Item) => boolean;

/**
 * Returns the entries of different sources that state the same fact. `items` are of one kind, in the record's order. The
 * blocking key holds every value that must be equal, so each candidate pair is a match; only two parts, and
 * contradicting names, are none.
 */
export async function findMatches(items: readonly Item[], canBeOne: CanBeOne): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for await (const [one, other] of findCandidatePairs(items.flatMap(listAssertions), 'date and facets')) {
    if (one.isPart && other.isPart) continue;
    if (!one.isPart && !other.isPart && !canBeOne(one.item, other.item)) continue;
    const [panel, result] = other.isPart ? [other, one] : [one, other];
    pairs.push({ one: panel.item, other: result.item, isWithin: panel.isPart });
  }
  return pairs;
}

/** Returns the entries of different sources about one fact that contradict each other. */
export async function findConflicts(items: readonly Item[], canBeOne: CanBeOne): Promise<Pair[]> {
  const assertions = items
    .filter(({ statement }) => statement.facets.some(({ differing }) => differing === 'contradiction'))
    .flatMap((item) => listAssertions(item).filter(({ isPart }) => !isPart));
  const pairs: Pair[] = [];
  // By their values, so that the least of one source is compared with the least of the other, whatever the record's order.
  for await (const [one, other] of findCandidatePairs(sortByValues(assertions), 'date'))
    if (
      hasComparableDate(one, other) &&
      hasConflict(one.facets, other.facets) &&
      canBeOne(one.item, other.item)
    )
      pairs.push({ one: one.item, other: other.item, isWithin: false });
  return pairs;
}

const sortByValues = (assertions: readonly Assertion[]): Assertion[] =>
  assertions
    .map((assertion) => ({
      assertion,
      values: assertion.facets.map(({ steps }) => steps.at(-1)).join('\0'),
    }))
    .sort((one, other) => (one.values < other.values ? -1 : one.values > other.values ? 1 : 0))
    .map(({ assertion }) => assertion);

/** Whether both state something about one fact that cannot both be true. A facet that makes two facts of them decides. */
function hasConflict(one: readonly Facet[], other: readonly Facet[]): boolean {
  let isConflicting = false;
  for (const [index, { steps, differing }] of one.entries()) {
    const theirs = other[index]?.steps ?? [''];
    const step = Math.min(steps.length, theirs.length) - 1;
    if (steps[step] === theirs[step]) continue;
    if (differing === 'two facts') return false;
    isConflicting = true;
  }
  return isConflicting;
}

/** Whether both are dated or neither is: an undated entry may be about another time. */
function hasComparableDate({ item: one }: Assertion, { item: other }: Assertion): boolean {
  const [mine, theirs] = [one.statement.when.length - 1, other.statement.when.length - 1];
  if (one.statement.requiresSameDate) return mine === theirs && mine >= DAY;
  return (mine === 0) === (theirs === 0);
}
