import type { DataMask } from '../../../../contract/brands.ts';
import { intersectMasks } from '../../../consent/access/sensitivity-labels.ts';
import { listIngredients } from '../../entries/resource-display.ts';
import { listSearchableNames, type NamedVisit } from '../../labels/names-of-targets.ts';
import { getVisitName, type VisitNode } from '../../labels/visits.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { LOOKED_UP_TYPES } from '../../store/looked-up-types.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';

/** A resource, and the visits that it names. */
interface NamingResource {
  resource: ParsedResource;
  visits: readonly NamedVisit[];
}

/** Loads the restricted classes of visits by the names that searches have for them. */
export type LoadVisits = () => Promise<ReadonlyMap<string, DataMask>>;

/** A fact belongs to the visits that it names. What facts inherit from names some too, which share their labels when all have theirs. */
const isFact = ({ resource }: Pick<NamingResource, 'resource'>): boolean =>
  !LOOKED_UP_TYPES.has(resource.resourceType);

/** Loads the classes of visits where a fact names one by an identifier. */
export const loadNamedVisits = (
  resources: readonly NamingResource[],
  load: LoadVisits,
): ReturnType<LoadVisits> =>
  resources.some((each) => isFact(each) && each.visits.some(({ name }) => name !== null))
    ? load()
    : Promise.resolve(new Map());

/** Lists the visits that a fact belongs to, where `held` are those that the record holds. */
export const listVisitNames = (naming: NamingResource, held: ReadonlyMap<string, unknown>): string[] =>
  isFact(naming) ? naming.visits.flatMap((visit) => getVisitName(visit, held) ?? []) : [];

/** Whether a resource inherits from what its entries show, as far as that has labels. */
export const isInherited = (resource: ParsedResource, reference: string): boolean =>
  isFact({ resource }) || !reference.startsWith('Encounter/');

/** What facts inherit from that consists of others of its kind. */
const COMPOUNDS: ReadonlySet<string> = new Set(['Medication', 'Substance']);

/** Returns a visit, a medicine or substance, or what else facts inherit from that names visits; none for others. */
export function listVisitNodes(
  { resource, visits, row }: NamingResource & { row: { source_id: string } },
  node: Pick<VisitNode, 'seq' | 'reference' | 'labels' | 'shown'>,
): VisitNode[] {
  const [isVisit, isCompound] = [resource.resourceType === 'Encounter', COMPOUNDS.has(resource.resourceType)];
  if (!isVisit && !isCompound && (visits.length === 0 || isFact({ resource }))) return [];
  const names = isVisit ? listSearchableNames(resource, row.source_id) : [];
  const shown = isCompound ? [...node.shown, ...listIngredients(resource)] : node.shown;
  return [{ ...node, names, visits, shown, labels: intersectMasks(node.labels, RESTRICTED_MASK) }];
}
