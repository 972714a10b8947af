import type { DataMask } from '../../../../contract/brands.ts';
import { intersectMasks } from '../../../consent/access/sensitivity-labels.ts';
import { findRequiredReferences } from '../../entries/build-entries.ts';
import type { Mention } from '../../labels/mentions.ts';
import { listSearchableNames, type NamedTarget } from '../../labels/names-of-targets.ts';
import { getVisitName, type VisitNode } from '../../labels/visits.ts';
import type { ClassifyWords } from '../../labels/word-classifier.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { isInheritedFrom, PARTY_TYPES } from '../../store/party-types.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';
import { createPartyNode, listParties } from './load-parties.ts';

/** A resource, and the visits that it names. */
interface NamingResource {
  resource: ParsedResource;
  visits: readonly NamedTarget[];
}

/** Loads the restricted classes of visits by the names that searches have for them. */
export type LoadVisits = () => Promise<ReadonlyMap<string, DataMask>>;

const isVisit = ({ resourceType }: ParsedResource): boolean => resourceType === 'Encounter';

/**
 * Who, where and what took part. These, and visits, share their labels with each other when all have theirs; what belongs to a visit
 * comes after them.
 */
export const isParty = ({ resourceType }: ParsedResource): boolean => PARTY_TYPES.has(resourceType);

/** A fact belongs to the visits that it names. */
const isFact = ({ resourceType }: ParsedResource): boolean => !isInheritedFrom(resourceType);

/** Loads the classes of visits where a fact names one by an identifier. */
export const loadNamedVisits = (
  resources: readonly NamingResource[],
  load: LoadVisits,
): ReturnType<LoadVisits> =>
  resources.some(({ resource, visits }) => isFact(resource) && visits.some(({ name }) => name !== null))
    ? load()
    : Promise.resolve(new Map());

/** Whether a resource inherits from what its entries show, as far as that has labels. */
export const isInherited = (resource: ParsedResource, reference: string): boolean =>
  isFact(resource) || !reference.startsWith('Encounter/');

/** Returns the names of the visits that a fact belongs to, and of who, where and what took part in a fact or a visit. */
export function listInherited(
  { resource, visits, mentions }: NamingResource & { mentions: readonly Mention[] },
  { known, parties }: { known: ReadonlyMap<string, unknown>; parties: ReadonlyMap<string, unknown> },
): string[] {
  const held = { has: (reference: string): boolean => known.has(reference) || parties.has(reference) };
  return [
    ...(isFact(resource) ? visits : []).flatMap((visit) => getVisitName(visit, known) ?? []),
    ...listParties(mentions).flatMap((party) => getVisitName(party, held) ?? []),
  ];
}

/** Lists the `Type/id` of what a resource may show or inherit from. */
export const listReferences = ({
  resource,
  visits,
  mentions,
}: NamingResource & { mentions: readonly Mention[] }): string[] => [
  ...visits.flatMap(({ reference }) => reference ?? []),
  ...listParties(mentions).flatMap(({ reference, name }) => (name === null ? [] : (reference ?? []))),
  ...findRequiredReferences(resource),
];

interface LabeledNode {
  row: { seq: number; source_id: string };
  reference: string;
  labels: DataMask;
  shown: ReadonlySet<string>;
  classifyWords: ClassifyWords;
}

/** Returns a visit, or who, where or what takes part in one, as others inherit from it; none for facts. */
export function listVisitNodes(
  { resource, visits, mentions }: NamingResource & { mentions: readonly Mention[] },
  { row: { seq, source_id: sourceId }, reference, labels, shown, classifyWords }: LabeledNode,
): VisitNode[] {
  const node = { seq, reference, labels: intersectMasks(labels, RESTRICTED_MASK) };
  if (isParty(resource)) {
    const named = [...visits, ...listParties(mentions)];
    return [createPartyNode({ resource, sourceId, named, classifyWords }, node)];
  }
  if (!isVisit(resource)) return [];
  return [{ ...node, names: listSearchableNames(resource, sourceId), visits, shown: [...shown] }];
}
