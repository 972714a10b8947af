import { iterateInTurns } from './iterate-in-turns.ts';
import { groupCodesBySystem, hasCodeConflict, collectNames, hasSharedTitleOrCode } from './names.ts';
import { buildRank, type Rank } from './order.ts';
import {
  DAY,
  MINUTE,
  type ComparedEntry,
  type Facet,
  type Statement,
  type ComparedRow,
} from './statement.ts';
import { buildStatement } from './build-statement.ts';

/** An entry with what it says, taken apart once. */
export interface Item extends Rank {
  statement: Statement;
  names: ReadonlySet<string>;
  codes: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What an entry tells as its own result, or as a part of one. */
interface Assertion {
  item: Item;
  isPart: boolean;
  names: readonly string[];
  facets: readonly Facet[];
  /** The last step of its date, and of each facet. */
  precision: readonly number[];
}

export interface Pair {
  one: Item;
  other: Item;
  /** `one` holds what `other` tells as a part. */
  within: boolean;
}

interface Block {
  name: string;
  precision: readonly number[];
  members: Assertion[];
}

export async function buildItems(entries: readonly ComparedRow[]): Promise<Item[]> {
  const items: Item[] = [];
  for await (const stored of iterateInTurns(entries)) {
    const detail: unknown = stored.detail === null ? null : JSON.parse(stored.detail);
    items.push(buildItem({ ...stored, detail } as ComparedEntry));
  }
  return items;
}

function buildItem(entry: ComparedEntry): Item {
  const statement = buildStatement(entry);
  const names = new Set([...collectNames(entry), ...statement.names]);
  return { ...buildRank(entry, statement), statement, names, codes: groupCodesBySystem([...names]) };
}

function listAssertions(item: Item): Assertion[] {
  const { names, when, facets, parts } = item.statement;
  const toAssertion = (isPart: boolean, content: Pick<Statement, 'names' | 'facets'>): Assertion => ({
    item,
    isPart,
    names: content.names,
    facets: content.facets,
    precision: [when.length - 1, ...content.facets.map(({ steps }) => steps.length - 1)],
  });
  return [toAssertion(false, { names, facets }), ...parts.map((part) => toAssertion(true, part))];
}

const intersectPrecision = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((step, index) => Math.min(step, other[index] ?? 0));

const isEqual = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((step, index) => step === other[index]);

const dedupe = (all: readonly (readonly number[])[]): (readonly number[])[] => [
  ...new Map(all.map((each) => [each.join(), each])).values(),
];

/** With what any two have in common: so that turns are counted alike, whoever else is there. */
function computeClosure(present: readonly (readonly number[])[]): (readonly number[])[] {
  for (let all = dedupe(present); ;) {
    const more = dedupe(all.flatMap((one) => all.map((other) => intersectPrecision(one, other))));
    if (more.length === all.length) return all;
    all = more;
  }
}

/** The date at a step, for a name: a long text needs none; an identifier needs none on one side, the class of a visit is enough for its very minute. */
function getDateKey(name: string, { when }: Statement, step: number): string | null {
  if (name.startsWith('class ') && step !== MINUTE) return null;
  if (name.startsWith('whole ')) return '';
  return name.startsWith('id ') && step === 0 ? '' : (when[step] ?? '');
}

interface BlockingKeys {
  /** Which steps must agree: of the date, then of facets. */
  precision(assertion: Assertion): readonly number[];
  /** What else stands in the key. */
  values(assertion: Assertion, precision: readonly number[]): readonly string[];
}

/** Tellings that share a name, a role, and all else at a common exactness, cell by cell. */
async function buildBlocks(
  assertions: readonly Assertion[],
  blocking: BlockingKeys,
): Promise<Iterable<Block>> {
  const present = computeClosure(assertions.map(blocking.precision));
  const levels = new Map(
    present.map((own) => [own.join(), dedupe(present.map((other) => intersectPrecision(own, other)))]),
  );
  const blocks = new Map<string, Block>();
  for await (const assertion of iterateInTurns(assertions)) {
    const { statement } = assertion.item;
    for (const precision of levels.get(blocking.precision(assertion).join()) ?? []) {
      const values = blocking.values(assertion, precision).join('\0');
      for (const name of assertion.names) {
        const when = getDateKey(name, statement, precision[0] ?? 0);
        if (when === null) continue;
        const key = [name, statement.role, when, values, precision.join()].join('\0');
        const block = blocks.get(key);
        if (block) block.members.push(assertion);
        else blocks.set(key, { name, precision, members: [assertion] });
      }
    }
  }
  return blocks.values();
}

const isFromOneSource = ({ members: [first, ...others] }: Block): boolean =>
  others.every(({ item }) => item.entry.sourceKey === first?.item.entry.sourceKey);

/**
 * What one source tells twice is two facts, and the same two of a source that tells it twice too: the first is compared
 * with the first. Counted apart by what a consent must cover, so that it is the same whatever a consent withholds.
 */
function pairByOccurrence(members: readonly Assertion[]): Assertion[][] {
  const counts = new Map<string, number>();
  const occurrences: Assertion[][] = [];
  for (const assertion of members) {
    const { sourceKey, requiredLabels, kind, reference } = assertion.item.entry;
    // A note and the report that holds it as well are one.
    const role = kind === 'note' ? reference.split('/')[0] : assertion.isPart;
    const counter = `${sourceKey} ${requiredLabels} ${role}`;
    const occurrence = counts.get(counter) ?? 0;
    counts.set(counter, occurrence + 1);
    (occurrences[occurrence] ??= []).push(assertion);
  }
  return occurrences;
}

function* pairAcrossSources(members: readonly Assertion[]): Generator<[Assertion, Assertion]> {
  for (const [index, one] of members.entries())
    for (const other of members.slice(index + 1))
      if (one.item.entry.sourceKey !== other.item.entry.sourceKey) yield [one, other];
}

/** Whether this name is enough for these two; nor may their codes speak against it. */
function canMatch(name: string, one: Assertion, other: Assertion): boolean {
  if (one.isPart || other.isPart) return true;
  if (hasCodeConflict(one.item, other.item)) return false;
  if (name.startsWith('id ')) return hasSharedTitleOrCode(one.item, other.item);
  // Texts that visits repeat belong to each of them; a copy that belongs to none is a copy of any.
  const isCopy = one.item.entry.visit === null || other.item.entry.visit === null;
  return isCopy || !name.startsWith('whole ');
}

/** Entries of different sources that say the same, as far as both tell it. Entries of one kind, in the record's order. */
export async function findMatches(items: readonly Item[]): Promise<Pair[]> {
  const blocks = await buildBlocks(items.flatMap(listAssertions), {
    precision: (assertion) => assertion.precision,
    values: ({ facets }, precision) =>
      facets.map(({ steps }, index) => steps[precision[index + 1] ?? 0] ?? ''),
  });
  const pairs: Pair[] = [];
  for await (const block of iterateInTurns(blocks)) {
    const { precision, members } = block;
    if (isFromOneSource(block)) continue;
    for (const occurrence of pairByOccurrence(members))
      for (const [one, other] of pairAcrossSources(occurrence)) {
        if (one.isPart && other.isPart) continue;
        if (
          !isEqual(intersectPrecision(one.precision, other.precision), precision) ||
          !canMatch(block.name, one, other)
        )
          continue;
        const [holder, part] = other.isPart ? [other, one] : [one, other];
        pairs.push({ one: holder.item, other: part.item, within: holder.isPart });
      }
  }
  return pairs;
}

/** Both tell something about one fact that can't both be true, or not in these words. */
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

/** Of what both date: an undated entry may be about another time. */
function hasComparableDate({ item: one }: Assertion, { item: other }: Assertion): boolean {
  const [mine, theirs] = [one.statement.when.length - 1, other.statement.when.length - 1];
  if (one.statement.requiresSameDate) return mine === theirs && mine >= DAY;
  return (mine === 0) === (theirs === 0);
}

const serializeValues = ({ facets }: Assertion): string => facets.map(({ steps }) => steps.at(-1)).join('\0');

/** Entries of different sources about one fact that contradict each other. */
export async function findConflicts(items: readonly Item[]): Promise<Pair[]> {
  const assertions = items
    .filter(({ statement }) => statement.facets.some(({ differing }) => differing === 'contradiction'))
    .map((item) => listAssertions(item)[0] as Assertion);
  const blocks = await buildBlocks(assertions, {
    precision: ({ precision }) => precision.slice(0, 1),
    values: () => [],
  });
  const pairs: Pair[] = [];
  for await (const block of iterateInTurns(blocks)) {
    const { precision, members } = block;
    if (isFromOneSource(block)) continue;
    const sorted = [...members].sort((one, other) =>
      serializeValues(one) < serializeValues(other)
        ? -1
        : serializeValues(one) > serializeValues(other)
          ? 1
          : 0,
    );
    for (const occurrence of pairByOccurrence(sorted))
      for (const [one, other] of pairAcrossSources(occurrence)) {
        if (Math.min(one.precision[0] ?? 0, other.precision[0] ?? 0) !== precision[0]) continue;
        if (
          !hasComparableDate(one, other) ||
          !canMatch(block.name, one, other) ||
          !hasConflict(one.facets, other.facets)
        )
          continue;
        pairs.push({ one: one.item, other: other.item, within: false });
      }
  }
  return pairs;
}
