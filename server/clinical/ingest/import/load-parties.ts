import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import {
  combineMasks,
  excludeMask,
  FETCHED_RESTRICTED,
  intersectMasks,
  NO_LABELS,
} from '../../../consent/access/sensitivity-labels.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { listMentions, type Mention } from '../../labels/mentions.ts';
import { listSearchableNames, type NamedTarget } from '../../labels/names-of-targets.ts';
import { findClassesBesides } from '../../labels/places.ts';
import { spreadVisitLabels, type VisitNode } from '../../labels/visits.ts';
import type { ClassifyWords } from '../../labels/word-classifier.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import { findLabeledOfTypes } from '../../store/labeled-resources.sql.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { PARTY_TYPES } from '../../store/party-types.ts';
import { CLASSES_MASK, RESTRICTED_MASK } from './inherited-masks.ts';
import { readRows } from './read-rows.ts';

/** Loads what facts inherit of who, where and what, by the names that references have for them; of those that have any labels. */
export type LoadParties = () => Promise<ReadonlyMap<string, DataMask>>;

interface PartyReading {
  db: Queryable;
  patientId: PatientId;
  classifyWords: ClassifyWords;
}

/**
 * Returns a function that loads them once, when they are labeled: few are, so that they are read as a whole, whatever names them by
 * an identifier.
 */
export function createPartyLoader(reading: PartyReading): LoadParties {
  let loaded: ReturnType<LoadParties> | undefined;
  return () => (loaded ??= loadParties(reading));
}

async function loadParties({ db, patientId, classifyWords }: PartyReading): ReturnType<LoadParties> {
  const nodes: VisitNode[] = [];
  const read = (page: { after: number; limit: number }) =>
    db.query(findLabeledOfTypes(patientId, [...PARTY_TYPES], { labels: RESTRICTED_MASK, ...page }));
  for await (const { seq, reference, body, source_id, required_labels: labels } of readRows(read)) {
    const resource = parseResource(body);
    const named = listParties(listMentions(resource));
    nodes.push(
      createPartyNode({ resource, sourceId: source_id, named, classifyWords }, { seq, reference, labels }),
    );
  }
  const raised = spreadVisitLabels(nodes);
  const found = new Map<string, DataMask>();
  for (const { seq, reference, names, labels } of nodes)
    for (const name of [reference, ...names])
      found.set(name, combineMasks(found.get(name) ?? NO_LABELS, raised.get(seq) ?? labels));
  return found;
}

/** Lists who, where and what a resource is as sensitive as. */
export const listParties = (mentions: readonly Mention[]): NamedTarget[] =>
  mentions.flatMap(({ parties }) => parties ?? []);

interface Party {
  resource: ParsedResource;
  sourceId: string;
  /** What it inherits from. */
  named: readonly NamedTarget[];
  classifyWords: ClassifyWords;
}

/** Returns what others inherit from: of the labels that a place requires, not those of what it only mentions. */
export function createPartyNode(
  { resource, sourceId, named, classifyWords }: Party,
  { labels, ...node }: Pick<VisitNode, 'seq' | 'reference' | 'labels'>,
): VisitNode {
  const restricted = intersectMasks(labels, RESTRICTED_MASK);
  const besides = restricted === NO_LABELS ? NO_LABELS : findClassesBesides(resource, classifyWords);
  const left = excludeMask(restricted, besides);
  const hasClasses = intersectMasks(left, CLASSES_MASK) !== NO_LABELS;
  return {
    ...node,
    names: listSearchableNames(resource, sourceId),
    labels: hasClasses ? left : excludeMask(left, FETCHED_RESTRICTED),
    visits: named,
    shown: [],
  };
}
