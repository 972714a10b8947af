import { toConceptId, type Concept, type ConceptRow } from './concept.ts';

/** More treatments would make most drugs of a record an answer. */
const MAX_TREATMENTS = 200;

const DRUG_KINDS = new Set<ConceptRow['kind']>(['drugs', 'drug-classes']);
const TREATED_KINDS = new Set<ConceptRow['kind']>(['conditions', 'symptoms']);

/** A row with the rows that it names, and those that name it. */
interface Node {
  id: number;
  row: ConceptRow;
  broader: Node[];
  narrower: Node[];
  related: Set<Node>;
}

/**
 * Makes concepts of all rows, by slug; a relation to what no row is leaves no trace. What follows of the relations is worked
 * out for each concept when it is asked for: a process asks for some hundred, and all took longer than reading the files.
 */
export function connectRows(rows: readonly ConceptRow[]): Map<string, Concept> {
  const nodes = new Map<string, Node>();
  for (const row of rows)
    nodes.set(row.id, { id: toConceptId(row.id), row, broader: [], narrower: [], related: new Set() });
  for (const node of nodes.values()) {
    for (const wider of listKnown(nodes, node.row.broader)) {
      node.broader.push(wider);
      wider.narrower.push(node);
    }
    for (const other of listKnown(nodes, node.row.related)) {
      node.related.add(other);
      other.related.add(node);
    }
  }
  return new Map([...nodes].map(([slug, node]) => [slug, new ConnectedConcept(node)]));
}

const listKnown = (nodes: ReadonlyMap<string, Node>, slugs: readonly string[] = []): Node[] =>
  slugs.flatMap((slug) => nodes.get(slug) ?? []);

class ConnectedConcept implements Concept {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly kind: ConceptRow['kind'];
  readonly #node: Node;
  #ancestors: readonly number[] | undefined;
  #related: readonly number[] | undefined;
  #akin: readonly number[] | undefined;
  #treatments: readonly number[] | undefined;
  #breadth: number | undefined;

  constructor(node: Node) {
    ({ id: this.slug, name: this.name, kind: this.kind } = node.row);
    this.id = node.id;
    this.#node = node;
  }

  get ancestors(): readonly number[] {
    return (this.#ancestors ??= toIds(collect(this.#node, getBroader)));
  }

  get related(): readonly number[] {
    return (this.#related ??= toIds(this.#node.related));
  }

  get akin(): readonly number[] {
    return (this.#akin ??= toIds([...this.#node.related].filter((other) => isAkin(this.#node, other))));
  }

  get treatments(): readonly number[] {
    return (this.#treatments ??= toIds(listTreatments(this.#node)));
  }

  get breadth(): number {
    return (this.#breadth ??= collect(this.#node, ({ narrower }) => narrower).size);
  }
}

const toIds = (nodes: Iterable<Node>): number[] =>
  [...nodes].map(({ id }) => id).sort((one, other) => one - other);

/** All that is reached from a node, without itself. */
function collect(start: Node, step: (node: Node) => readonly Node[]): Set<Node> {
  const found = new Set<Node>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const next of step(node))
      if (!found.has(next)) {
        found.add(next);
        open.push(next);
      }
  found.delete(start);
  return found;
}

/** That something was done, or is there since. */
const isHistory = ({ id, kind }: ConceptRow): boolean =>
  id.startsWith('history-of-') || (kind === 'conditions' && /-(?:status|history)$/.test(id));

/** Whether what says the other is said of the one: a disease of its symptom, a test of the infection that it looks for. */
function isAkin(node: Node, { row: other, related }: Node): boolean {
  const one = node.row;
  if (one.kind === 'symptoms' || one.kind === 'social-history') return other.kind === 'conditions';
  if (other.kind === 'tests')
    return related.size <= MAX_AGENTS && [...collect(node, getBroader)].some(isInfection);
  return isDone(one, other) || isDone(other, one);
}

/** A test with more relations is a panel of many agents. */
const MAX_AGENTS = 2;

const isInfection = ({ row }: Node): boolean => row.id === 'infection';

const isDone = (one: ConceptRow, other: ConceptRow): boolean =>
  one.kind === 'procedures' && (other.kind === 'devices' || isHistory(other));

const getBroader = ({ broader }: Node): readonly Node[] => broader;

function listTreatments({ related }: Node): Node[] {
  const treated = [...related].filter(({ row }) => TREATED_KINDS.has(row.kind));
  const near = new Set([...related, ...treated.flatMap((each) => [...each.related])]);
  return [...near].filter(({ row }) => DRUG_KINDS.has(row.kind)).slice(0, MAX_TREATMENTS);
}
