import type { DataMask } from '../../../contract/brands.ts';
import { combineMasks } from '../../consent/access/sensitivity-labels.ts';
import { toElements } from '../entries/element.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import type { Mention } from './mentions.ts';
import { listNamesByIdentifier, type NamedTarget } from './names-of-targets.ts';

/** Lists the visits that a resource names, wherever: by an address, an identifier, or a contained one in their place. */
export const findVisits = (resource: ParsedResource, mentions: readonly Mention[]): NamedTarget[] => [
  ...mentions.flatMap(({ visits }) => visits ?? []),
  ...toElements(resource['contained'])
    .filter((each) => each['resourceType'] === 'Encounter')
    .flatMap((each) => toElements(each['identifier']))
    .flatMap((identifier) => listNamesByIdentifier({ identifier }, ['Encounter']))
    .map((name) => ({ reference: null, name })),
];

/** A resource whose classes others inherit while it inherits those of what it names: a visit, or who, where and what took part. */
export interface VisitNode {
  seq: number;
  /** `Type/id`. */
  reference: string;
  /** The names by which references without an address mean it. */
  names: readonly string[];
  /** What others inherit of it. */
  labels: DataMask;
  /** What it inherits from: by the address of each where the record holds that, else by its identifier. */
  visits: readonly NamedTarget[];
  /** The names of what else it inherits from. */
  shown: readonly string[];
}

/**
 * Computes the labels of visits, and of who, where and what took part, that are part of others or name others, where they are more
 * than their own: those of all that are reached, in whichever order they came, also where they lead back to where they began.
 */
export function spreadVisitLabels(found: readonly VisitNode[]): Map<number, DataMask> {
  // What was built anew has the labels that it was raised to.
  const nodes = [...new Map(found.map((node) => [node.seq, node])).values()];
  const heirs = listHeirs(nodes);
  const labels = new Map(nodes.map((node) => [node, node.labels]));
  const pending = nodes.filter((node) => heirs.has(node));
  for (let node = pending.pop(); node !== undefined; node = pending.pop())
    for (const heir of heirs.get(node) ?? []) {
      const [own, inherited] = [labels.get(heir) ?? heir.labels, labels.get(node) ?? node.labels];
      if ((inherited & ~own) === 0) continue;
      labels.set(heir, combineMasks(own, inherited));
      if (heirs.has(heir)) pending.push(heir);
    }
  return new Map([...labels].flatMap(([node, mask]) => (mask === node.labels ? [] : [[node.seq, mask]])));
}

/** Who inherits from whom. */
function listHeirs(nodes: readonly VisitNode[]): ReadonlyMap<VisitNode, readonly VisitNode[]> {
  const byName = Map.groupBy(
    nodes.flatMap((node) => [node.reference, ...node.names].map((name) => ({ name, node }))),
    ({ name }) => name,
  );
  const heirs = new Map<VisitNode, VisitNode[]>();
  for (const heir of nodes)
    for (const name of [...heir.shown, ...listTargets(heir, byName)])
      for (const { node } of byName.get(name) ?? []) {
        if (node === heir) continue;
        const others = heirs.get(node);
        if (others === undefined) heirs.set(node, [heir]);
        else others.push(heir);
      }
  return heirs;
}

const listTargets = ({ visits }: VisitNode, held: ReadonlyMap<string, unknown>): string[] =>
  visits.flatMap((visit) => getVisitName(visit, held) ?? []);

/** The name of a visit that counts: by its address where the record holds that, else by its identifier. */
export const getVisitName = (
  { reference, name }: NamedTarget,
  held: { has(reference: string): boolean },
): string | null => (reference !== null && held.has(reference) ? reference : name);
