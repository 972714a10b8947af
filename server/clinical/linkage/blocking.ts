import type { Assertion } from './items.ts';
import { iterateInTurns } from './iterate-in-turns.ts';
import { hasCodeConflict, hasIdentifierConflict, hasSharedTitleOrCode } from './names.ts';
import { MINUTE, type Precision, type Statement } from './statement.ts';

/**
 * The first two steps of record linkage (docs/record-linkage.md): which assertions are compared with which. Blocking puts
 * assertions into blocks by a key of exact values, so that 25,000 entries need not be compared with 25,000; within a block
 * the first assertion of a source is paired with the first of each other source, the second with the second.
 */

/** Assertions that have a name, the role, and the values of the compared dimensions at one precision in common. */
interface Block {
  name: string;
  precision: Precision;
  members: Assertion[];
}

/** The dimensions of a blocking key: whoever looks for conflicts blocks by the date alone, and compares the facets. */
export type Dimensions = 'date and facets' | 'date';

/** Yields the pairs of different sources that a name permits, each once a name: in the block of their common precision. */
export async function* findCandidatePairs(
  assertions: readonly Assertion[],
  dimensions: Dimensions,
): AsyncGenerator<[Assertion, Assertion]> {
  for await (const { name, precision, members } of iterateInTurns(
    await buildBlocks(assertions, dimensions),
  )) {
    if (isFromOneSource(members)) continue;
    for (const group of groupByOccurrence(members))
      for (const [one, other] of pairAcrossSources(group)) {
        const common = meet(select(one.precision, dimensions), other.precision);
        if (common.join() === precision.join() && canMatch(name, one, other)) yield [one, other];
      }
  }
}

async function buildBlocks(
  assertions: readonly Assertion[],
  dimensions: Dimensions,
): Promise<Iterable<Block>> {
  const getPrecision = ({ precision }: Assertion): Precision => select(precision, dimensions);
  const precisions = computeClosure(assertions.map(getPrecision));
  const levels = new Map(
    precisions.map((own) => [own.join(), dedupe(precisions.map((other) => meet(own, other)))]),
  );
  const blocks = new Map<string, Block>();
  for await (const assertion of iterateInTurns(assertions)) {
    for (const precision of levels.get(getPrecision(assertion).join()) ?? [])
      for (const name of assertion.names) {
        const key = buildBlockingKey(assertion, name, precision);
        if (key === null) continue;
        const block = blocks.get(key);
        if (block) block.members.push(assertion);
        else blocks.set(key, { name, precision, members: [assertion] });
      }
  }
  return blocks.values();
}

const select = (precision: Precision, dimensions: Dimensions): Precision =>
  dimensions === 'date' ? precision.slice(0, 1) : precision;

/** What two have in common: the lesser precision in each dimension. */
const meet = (one: Precision, other: Precision): Precision =>
  one.map((step, index) => Math.min(step, other[index] ?? 0));

const dedupe = (all: readonly Precision[]): Precision[] => [
  ...new Map(all.map((each) => [each.join(), each])).values(),
];

/**
 * The precisions that occur, and what any two of them have in common. A block of every one of these holds all assertions
 * that reach its precision, not only those of the pair that gave rise to it: so occurrences are counted alike whoever
 * else is in the record.
 */
function computeClosure(present: readonly Precision[]): readonly Precision[] {
  for (let all = dedupe(present); ;) {
    const more = dedupe(all.flatMap((one) => all.map((other) => meet(one, other))));
    if (more.length === all.length) return all;
    all = more;
  }
}

function buildBlockingKey(
  { item: { statement }, facets }: Assertion,
  name: string,
  precision: Precision,
): string | null {
  const [dateStep = 0, ...facetSteps] = precision;
  const date = getDateKey(name, statement, dateStep);
  if (date === null) return null;
  const values = facetSteps.map((step, index) => facets[index]?.steps[step] ?? '');
  return [name, statement.role, date, ...values, precision.join()].join('\0');
}

/**
 * The date at a step of precision, as far as the name demands one: the digest of a long text is enough on any day, that of a
 * shorter one and an identifier are where one side has no date, and the class of a visit counts for the very minute only (else null).
 */
function getDateKey(name: string, { when }: Statement, step: number): string | null {
  if (name.startsWith('class ') && step !== MINUTE) return null;
  if (name.startsWith('whole ')) return '';
  return /^(?:id|copy) /.test(name) && step === 0 ? '' : (when[step] ?? '');
}

const isFromOneSource = ([first, ...others]: readonly Assertion[]): boolean =>
  others.every(({ item }) => item.entry.sourceKey === first?.item.entry.sourceKey);

/**
 * What one source states twice is two facts, and the same two of a source that states it twice too. Occurrences are
 * counted for each mask of required labels apart, so that they are the same whatever a consent withholds.
 */
function groupByOccurrence(members: readonly Assertion[]): Assertion[][] {
  const counts = new Map<string, number>();
  const groups: Assertion[][] = [];
  for (const assertion of members) {
    const { sourceKey, requiredLabels, kind, reference } = assertion.item.entry;
    // A note and the report that holds it as well are one.
    const role = kind === 'note' ? reference.split('/')[0] : assertion.isPart;
    const counter = `${sourceKey} ${requiredLabels} ${role}`;
    const occurrence = counts.get(counter) ?? 0;
    counts.set(counter, occurrence + 1);
    (groups[occurrence] ??= []).push(assertion);
  }
  return groups;
}

function* pairAcrossSources(group: readonly Assertion[]): Generator<[Assertion, Assertion]> {
  for (const [index, one] of group.entries())
    for (const other of group.slice(index + 1))
      if (one.item.entry.sourceKey !== other.item.entry.sourceKey) yield [one, other];
}

/** Whether this name is enough for these two, and their codes permit it. */
function canMatch(name: string, one: Assertion, other: Assertion): boolean {
  if (one.isPart || other.isPart) return true;
  if (hasCodeConflict(one.item, other.item)) return false;
  if (hasIdentifierConflict(one.item, other.item)) return false;
  if (name.startsWith('id ')) return hasSharedTitleOrCode(one.item, other.item);
  // A text that two visits repeat belongs to each of them; a copy that belongs to no visit is a copy of any.
  const isCopy = one.item.entry.visit === null || other.item.entry.visit === null;
  return isCopy || !/^(?:whole|copy) /.test(name);
}
