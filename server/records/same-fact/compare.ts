import { inTurns } from './in-turns.ts';
import { codesBySystem, contradict, namesOf, shareTitleOrCode } from './names.ts';
import { rankOf, type Rank } from './order.ts';
import {
  DAY,
  MOMENT,
  type ComparedEntry,
  type Facet,
  type Statement,
  type StoredForComparison,
} from './statement.ts';
import { statementOf } from './statement-of.ts';

/** An entry with what it says, taken apart once. */
export interface Item extends Rank {
  statement: Statement;
  names: ReadonlySet<string>;
  codes: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What an entry tells as its own result, or as a part of one. */
interface Telling {
  item: Item;
  isPart: boolean;
  names: readonly string[];
  facets: readonly Facet[];
  /** The last step of its date, and of each facet. */
  exactness: readonly number[];
}

export interface Pair {
  one: Item;
  other: Item;
  /** `one` holds what `other` tells as a part. */
  within: boolean;
}

interface Cell {
  name: string;
  exactness: readonly number[];
  members: Telling[];
}

export async function itemsOf(entries: readonly StoredForComparison[]): Promise<Item[]> {
  const items: Item[] = [];
  for await (const stored of inTurns(entries)) {
    const detail: unknown = stored.detail === null ? null : JSON.parse(stored.detail);
    items.push(itemOf({ ...stored, detail } as ComparedEntry));
  }
  return items;
}

function itemOf(entry: ComparedEntry): Item {
  const statement = statementOf(entry);
  const names = new Set([...namesOf(entry), ...statement.names]);
  return { ...rankOf(entry, statement), statement, names, codes: codesBySystem([...names]) };
}

function tellingsOf(item: Item): Telling[] {
  const { names, when, facets, parts } = item.statement;
  const telling = (isPart: boolean, of: Pick<Statement, 'names' | 'facets'>): Telling => ({
    item,
    isPart,
    names: of.names,
    facets: of.facets,
    exactness: [when.length - 1, ...of.facets.map(({ steps }) => steps.length - 1)],
  });
  return [telling(false, { names, facets }), ...parts.map((part) => telling(true, part))];
}

const common = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((step, place) => Math.min(step, other[place] ?? 0));

const equal = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((step, place) => step === other[place]);

const distinct = (all: readonly (readonly number[])[]): (readonly number[])[] => [
  ...new Map(all.map((each) => [each.join(), each])).values(),
];

/** With what any two have in common: so that turns are counted alike, whoever else is there. */
function closed(present: readonly (readonly number[])[]): (readonly number[])[] {
  for (let all = distinct(present); ;) {
    const more = distinct(all.flatMap((one) => all.map((other) => common(one, other))));
    if (more.length === all.length) return all;
    all = more;
  }
}

/** The date at a step, for a name: a long text needs none; an identifier needs none on one side, the class of a visit is enough for its very minute. */
function whenAt(name: string, { when }: Statement, step: number): string | null {
  if (name.startsWith('class ') && step !== MOMENT) return null;
  if (name.startsWith('whole ')) return '';
  return name.startsWith('id ') && step === 0 ? '' : (when[step] ?? '');
}

interface Keyed {
  /** Which steps must agree: of the date, then of facets. */
  exactness(telling: Telling): readonly number[];
  /** What else stands in the key. */
  values(telling: Telling, exactness: readonly number[]): readonly string[];
}

/** Tellings that share a name, a role, and all else at a common exactness, cell by cell. */
async function cellsOf(tellings: readonly Telling[], keyed: Keyed): Promise<Iterable<Cell>> {
  const present = closed(tellings.map(keyed.exactness));
  const levels = new Map(
    present.map((own) => [own.join(), distinct(present.map((other) => common(own, other)))]),
  );
  const cells = new Map<string, Cell>();
  for await (const telling of inTurns(tellings)) {
    const { statement } = telling.item;
    for (const exactness of levels.get(keyed.exactness(telling).join()) ?? []) {
      const values = keyed.values(telling, exactness).join('\0');
      for (const name of telling.names) {
        const when = whenAt(name, statement, exactness[0] ?? 0);
        if (when === null) continue;
        const key = [name, statement.role, when, values, exactness.join()].join('\0');
        const cell = cells.get(key);
        if (cell) cell.members.push(telling);
        else cells.set(key, { name, exactness, members: [telling] });
      }
    }
  }
  return cells.values();
}

const isOfOneSource = ({ members: [first, ...others] }: Cell): boolean =>
  others.every(({ item }) => item.entry.toldBy === first?.item.entry.toldBy);

/**
 * What one source tells twice is two facts, and the same two of a source that tells it twice too: the first is compared
 * with the first. Counted apart by what a consent must cover, so that it is the same whatever a consent withholds.
 */
function byTurn(members: readonly Telling[]): Telling[][] {
  const counts = new Map<string, number>();
  const turns: Telling[][] = [];
  for (const telling of members) {
    const { toldBy, needs, kind, reference } = telling.item.entry;
    // A note and the report that holds it as well are one.
    const as = kind === 'note' ? reference.split('/')[0] : telling.isPart;
    const whose = `${toldBy} ${needs} ${as}`;
    const turn = counts.get(whose) ?? 0;
    counts.set(whose, turn + 1);
    (turns[turn] ??= []).push(telling);
  }
  return turns;
}

function* acrossSources(members: readonly Telling[]): Generator<[Telling, Telling]> {
  for (const [place, one] of members.entries())
    for (const other of members.slice(place + 1))
      if (one.item.entry.toldBy !== other.item.entry.toldBy) yield [one, other];
}

/** Whether this name is enough for these two; nor may their codes speak against it. */
function mayMean(name: string, one: Telling, other: Telling): boolean {
  if (one.isPart || other.isPart) return true;
  if (contradict(one.item, other.item)) return false;
  if (name.startsWith('id ')) return shareTitleOrCode(one.item, other.item);
  // Texts that visits repeat belong to each of them; a copy that belongs to none is a copy of any.
  const isCopy = one.item.entry.visit === null || other.item.entry.visit === null;
  return isCopy || !name.startsWith('whole ');
}

/** Entries of different sources that say the same, as far as both tell it. Entries of one kind, in the record's order. */
export async function agreements(items: readonly Item[]): Promise<Pair[]> {
  const cells = await cellsOf(items.flatMap(tellingsOf), {
    exactness: (telling) => telling.exactness,
    values: ({ facets }, exactness) =>
      facets.map(({ steps }, place) => steps[exactness[place + 1] ?? 0] ?? ''),
  });
  const pairs: Pair[] = [];
  for await (const cell of inTurns(cells)) {
    const { exactness, members } = cell;
    if (isOfOneSource(cell)) continue;
    for (const turn of byTurn(members))
      for (const [one, other] of acrossSources(turn)) {
        if (one.isPart && other.isPart) continue;
        if (!equal(common(one.exactness, other.exactness), exactness) || !mayMean(cell.name, one, other))
          continue;
        const [holder, held] = other.isPart ? [other, one] : [one, other];
        pairs.push({ one: holder.item, other: held.item, within: holder.isPart });
      }
  }
  return pairs;
}

/** Both tell something about one fact that can't both be true, or not in these words. */
function differ(one: readonly Facet[], other: readonly Facet[]): boolean {
  let contradicts = false;
  for (const [place, { steps, differing }] of one.entries()) {
    const theirs = other[place]?.steps ?? [''];
    const step = Math.min(steps.length, theirs.length) - 1;
    if (steps[step] === theirs[step]) continue;
    if (differing === 'two facts') return false;
    contradicts = true;
  }
  return contradicts;
}

/** Of what both date: an undated entry may be about another time. */
function datedAlike({ item: one }: Telling, { item: other }: Telling): boolean {
  const [mine, theirs] = [one.statement.when.length - 1, other.statement.when.length - 1];
  if (one.statement.exact) return mine === theirs && mine >= DAY;
  return (mine === 0) === (theirs === 0);
}

const valuesOf = ({ facets }: Telling): string => facets.map(({ steps }) => steps.at(-1)).join('\0');

/** Entries of different sources about one fact that contradict each other. */
export async function contradictions(items: readonly Item[]): Promise<Pair[]> {
  const whole = items
    .filter(({ statement }) => statement.facets.some(({ differing }) => differing === 'contradiction'))
    .map((item) => tellingsOf(item)[0] as Telling);
  const cells = await cellsOf(whole, {
    exactness: ({ exactness }) => exactness.slice(0, 1),
    values: () => [],
  });
  const pairs: Pair[] = [];
  for await (const cell of inTurns(cells)) {
    const { exactness, members } = cell;
    if (isOfOneSource(cell)) continue;
    const inOrder = [...members].sort((one, other) =>
      valuesOf(one) < valuesOf(other) ? -1 : valuesOf(one) > valuesOf(other) ? 1 : 0,
    );
    for (const turn of byTurn(inOrder))
      for (const [one, other] of acrossSources(turn)) {
        if (Math.min(one.exactness[0] ?? 0, other.exactness[0] ?? 0) !== exactness[0]) continue;
        if (!datedAlike(one, other) || !mayMean(cell.name, one, other) || !differ(one.facets, other.facets))
          continue;
        pairs.push({ one: one.item, other: other.item, within: false });
      }
  }
  return pairs;
}
