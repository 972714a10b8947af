import { packLists, packTexts, type PackedLists, type PackedTexts } from '../../platform/kernel/packed.ts';
import type { PhraseTable } from './phrase-table.ts';
import { toConceptId, type Concept, type ConceptKind, type ConceptRow } from './concept.ts';

/** More treatments would make most drugs of a record an answer. */
const MAX_TREATMENTS = 200;

const DRUG_KINDS = new Set<ConceptKind>(['drugs', 'drug-classes']);
const TREATED_KINDS = new Set<ConceptKind>(['conditions', 'symptoms']);

/** Rows by their index, with those that they name and those that name them. */
interface Graph {
  ids: Uint32Array;
  slugs: PackedTexts;
  /** Empty: there is none. */
  spanishNames: PackedTexts;
  kinds: readonly ConceptKind[];
  broader: PackedLists;
  narrower: PackedLists;
  related: PackedLists;
}

/** The names of a row, of which most are never asked for. */
export type ConceptNames = Pick<PhraseTable, 'getName' | 'listNames'>;

export interface Relations {
  /** Says what the concept of a row is without making it. */
  describe(row: number): Pick<Concept, 'id' | 'kind' | 'slug'>;
  /** Undefined for the id of no concept. */
  findRow(id: number): number | undefined;
  /** Makes the concept of a row, which has these names. */
  createConcept(row: number, names: ConceptNames): Concept;
}

/**
 * Relates all rows; a relation to what no row is leaves no trace. What follows of the relations is worked out for each concept
 * when it is asked for: a process asks for some hundred, and all took longer than reading the files.
 */
export function connectRows(rows: readonly ConceptRow[]): Relations {
  const indexes = new Map(rows.map(({ id }, index) => [id, index]));
  const broader: number[][] = rows.map(() => []);
  const narrower: number[][] = rows.map(() => []);
  const related: Set<number>[] = rows.map(() => new Set());
  for (const [index, row] of rows.entries()) {
    for (const wider of listKnown(indexes, row.broader)) {
      broader[index]?.push(wider);
      narrower[wider]?.push(index);
    }
    for (const other of listKnown(indexes, row.related)) {
      related[index]?.add(other);
      related[other]?.add(index);
    }
  }
  const graph: Graph = {
    ids: Uint32Array.from(rows, ({ id }) => toConceptId(id)),
    slugs: packTexts(rows.map(({ id }) => id)),
    spanishNames: packTexts(rows.map(({ es }) => es?.[0] ?? '')),
    kinds: rows.map(({ kind }) => kind),
    broader: packLists(broader),
    narrower: packLists(narrower),
    related: packLists(related),
  };
  const byId = new Map([...graph.ids].map((id, index) => [id, index]));
  return {
    describe: (row) => ({
      id: graph.ids[row] as number,
      kind: graph.kinds[row] as ConceptKind,
      slug: graph.slugs.get(row),
    }),
    findRow: (id) => byId.get(id),
    createConcept: (row, names) => new ConnectedConcept(graph, row, names),
  };
}

const listKnown = (indexes: ReadonlyMap<string, number>, slugs: readonly string[] = []): number[] =>
  slugs.flatMap((slug) => indexes.get(slug) ?? []);

class ConnectedConcept implements Concept {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly kind: ConceptKind;
  readonly #graph: Graph;
  readonly #index: number;
  readonly #names: ConceptNames;
  #ancestors: readonly number[] | undefined;
  #related: readonly number[] | undefined;
  #akin: readonly number[] | undefined;
  #treatments: readonly number[] | undefined;
  #signs: readonly number[] | undefined;
  #breadth: number | undefined;

  constructor(graph: Graph, index: number, names: ConceptNames) {
    this.id = graph.ids[index] as number;
    this.slug = graph.slugs.get(index);
    this.name = names.getName(index);
    this.kind = graph.kinds[index] as ConceptKind;
    this.#graph = graph;
    this.#index = index;
    this.#names = names;
  }

  get spanishName(): string | null {
    return this.#graph.spanishNames.get(this.#index) || null;
  }

  get names(): readonly string[] {
    return this.#names.listNames(this.#index);
  }

  get ancestors(): readonly number[] {
    return (this.#ancestors ??= this.#toIds(collect(this.#graph.broader, this.#index)));
  }

  get related(): readonly number[] {
    return (this.#related ??= this.#toIds(this.#graph.related.get(this.#index)));
  }

  get akin(): readonly number[] {
    const related = this.#graph.related.get(this.#index);
    return (this.#akin ??= this.#toIds(related.filter((other) => isAkin(this.#graph, this.#index, other))));
  }

  get treatments(): readonly number[] {
    return (this.#treatments ??= this.#toIds(listTreatments(this.#graph, this.#index)));
  }

  get signs(): readonly number[] {
    return (this.#signs ??= this.#toIds(new Set(listSigns(this.#graph, this.#index))));
  }

  get breadth(): number {
    return (this.#breadth ??= collect(this.#graph.narrower, this.#index).size);
  }

  #toIds(indexes: Iterable<number>): number[] {
    return Array.from(indexes, (index) => this.#graph.ids[index] as number).sort((one, other) => one - other);
  }
}

/** All that is reached from a row, without itself. */
function collect(steps: PackedLists, start: number): Set<number> {
  const found = new Set<number>();
  const open = [start];
  for (let index = open.pop(); index !== undefined; index = open.pop())
    for (const next of steps.get(index))
      if (!found.has(next)) {
        found.add(next);
        open.push(next);
      }
  found.delete(start);
  return found;
}

/** That something was done, or is there since. */
const isHistory = ({ slugs, kinds }: Graph, index: number): boolean =>
  slugs.get(index).startsWith('history-of-') ||
  (kinds[index] === 'conditions' && /-(?:status|history)$/.test(slugs.get(index)));

/** Whether what says the other is said of the one: a disease of its symptom, a test of the infection that it looks for. */
function isAkin(graph: Graph, one: number, other: number): boolean {
  const { kinds, related } = graph;
  if (kinds[one] === 'symptoms' || kinds[one] === 'social-history') return kinds[other] === 'conditions';
  if (kinds[other] === 'tests')
    return related.get(other).length <= MAX_AGENTS && isNarrower(graph, one, 'infection');
  return isDone(graph, one, other) || isDone(graph, other, one);
}

/** A test with more relations is a panel of many agents. */
const MAX_AGENTS = 2;

const isDone = (graph: Graph, one: number, other: number): boolean =>
  graph.kinds[one] === 'procedures' && (graph.kinds[other] === 'devices' || isHistory(graph, other));

const SIGN_KINDS = new Set<ConceptKind>(['tests', 'drugs', 'drug-classes']);

/** Prednisone and a complete blood count are of too many conditions to be near one of them. */
const MAX_SIGNIFIED = 4;

/** A panel of more tests says little of one of them. */
const MAX_MEMBERS = 5;

function listSigns(graph: Graph, index: number): number[] {
  const { kinds, related, narrower } = graph;
  const others = [...related.get(index)].filter(
    (each) => kinds[each] !== 'tests' || collect(narrower, each).size <= MAX_MEMBERS,
  );
  if (kinds[index] === 'body-parts')
    return others.flatMap((each) => [
      each,
      ...(kinds[each] === 'conditions'
        ? listSigns(graph, each).filter((sign) => kinds[sign] !== 'vaccines')
        : []),
    ]);
  const countConditions = (of: number): number =>
    [...related.get(of)].filter((each) => kinds[each] === 'conditions').length;
  return kinds[index] === 'conditions'
    ? others.filter(
        (each) =>
          (SIGN_KINDS.has(kinds[each] as ConceptKind) && countConditions(each) <= MAX_SIGNIFIED) ||
          isPreventedBy(graph, index, each),
      )
    : [];
}

/** Whether a vaccine is against an infection, be it against five: not against the cancer that comes of one, and no antibodies. */
const isPreventedBy = (graph: Graph, index: number, vaccine: number): boolean =>
  graph.kinds[vaccine] === 'vaccines' &&
  isNarrower(graph, index, 'infection') &&
  !isNarrower(graph, vaccine, 'immune-globulin-shot');

const isNarrower = ({ broader, slugs }: Graph, index: number, slug: string): boolean =>
  [...collect(broader, index)].some((wider) => slugs.get(wider) === slug);

function listTreatments({ kinds, related }: Graph, index: number): number[] {
  const hasKind = (set: ReadonlySet<ConceptKind>, of: number): boolean => set.has(kinds[of] as ConceptKind);
  const near = new Set(related.get(index));
  for (const each of related.get(index))
    if (hasKind(TREATED_KINDS, each)) for (const other of related.get(each)) near.add(other);
  return [...near].filter((each) => hasKind(DRUG_KINDS, each)).slice(0, MAX_TREATMENTS);
}
