import type { DataMask } from '../../../contract/brands.ts';
import { isMeasure, toFact, type LinkedEntry, type NeededFact } from './context-fact.ts';
import { listRelations } from './document-relations.ts';
import type { Details } from './entry.ts';
import type { LinkRole } from './entry-link.ts';
import type { ObservationDetail } from './observation-detail.ts';

export interface EntryContext {
  seq: number;
  ordinal: number;
  facts: NeededFact[];
}

/** The panels, organisms and reports that their results stand for, with the masks of those results. */
export interface ListedBy {
  seq: number;
  ordinal: number;
  masks: DataMask[];
}

/** A panel within a panel within a report within a battery; deeper nesting, or a circle, ends here. */
const MAX_LEVEL = 4;

/**
 * Computes what the entries of a record say about each other, from all of them as they are now: so it holds whatever the
 * order in which files and batches brought them. Targets that the record does not hold say nothing.
 */
export function computeContext(entries: readonly LinkedEntry[]): {
  contexts: EntryContext[];
  listedBy: ListedBy[];
} {
  const byReference = Map.groupBy(entries, ({ reference }) => reference);
  const parents = findParents(entries, byReference);
  const diagnoses = Map.groupBy(
    entries.filter((each) => each.kind === 'condition' && each.visit !== null),
    ({ visit }) => visit as string,
  );
  const relations = listRelations(entries, byReference);
  const contexts = entries.flatMap((entry): EntryContext[] => {
    const facts = [
      ...(relations.get(entry) ?? []),
      ...listPanels(entry, parents),
      ...listExplanations(entry, byReference, parents),
      ...(entry.kind === 'visit' ? listDiagnoses(entry, diagnoses.get(entry.reference) ?? []) : []),
    ];
    const distinct = new Map(facts.map((fact) => [`${fact.role} ${fact.from} ${fact.title}`, fact]));
    return distinct.size === 0
      ? []
      : [{ seq: entry.seq, ordinal: entry.ordinal, facts: [...distinct.values()] }];
  });
  return { contexts, listedBy: entries.flatMap((entry) => findListedBy(entry, byReference, parents)) };
}

type ByReference = ReadonlyMap<string, readonly LinkedEntry[]>;
type Parents = ReadonlyMap<LinkedEntry, readonly LinkedEntry[]>;

const getTargets = (entry: LinkedEntry, role: LinkRole): string[] =>
  entry.links.flatMap((link) => (link.role === role ? link.target : []));

/** The entry of a resource that has several: a report's note has its results no more than its panel. */
function pickEntry(candidates: readonly LinkedEntry[] | undefined): LinkedEntry | undefined {
  const [first, ...others] = candidates?.filter(({ kind }) => kind !== 'note') ?? [];
  // Of an entry that borrows its date and the one that does not, the latter requires less.
  const lesser = others.find(
    ({ requiredLabels }) => first !== undefined && (first.requiredLabels & requiredLabels) === requiredLabels,
  );
  return lesser ?? first ?? candidates?.[0];
}

/**
 * Finds the panels of each entry: what lists it as a member, and what it was derived from where that has no number (a
 * susceptibility from its organism; a body mass index is no member of a weight).
 */
function findParents(entries: readonly LinkedEntry[], byReference: ByReference): Parents {
  const parents = new Map<LinkedEntry, LinkedEntry[]>();
  const add = (child: LinkedEntry, parent: LinkedEntry): void => {
    const known = parents.get(child);
    if (known?.includes(parent)) return;
    if (known) known.push(parent);
    else parents.set(child, [parent]);
  };
  for (const parent of entries)
    for (const target of getTargets(parent, 'member'))
      for (const child of byReference.get(target) ?? [])
        if (child.reference !== parent.reference) add(child, parent);
  for (const child of entries)
    for (const target of getTargets(child, 'derived')) {
      const parent = pickEntry(byReference.get(target));
      if (parent && parent.reference !== child.reference && !isNumeric(parent)) add(child, parent);
    }
  for (const parent of entries) for (const child of findWithin(parent, byReference)) add(child, parent);
  return parents;
}

const isWithin = ({ links }: LinkedEntry): boolean => links.some(({ role }) => role === 'within');

/** The results that the resource of a panel contains, as far as they are shown to whom the panel is shown. */
const findWithin = (parent: LinkedEntry, byReference: ByReference): LinkedEntry[] =>
  isWithin(parent) || parent.kind === 'note'
    ? []
    : (byReference.get(parent.reference) ?? []).filter(
        (each) => isWithin(each) && each.requiredLabels === parent.requiredLabels,
      );

function isNumeric(entry: LinkedEntry): boolean {
  const { value } = entry.detail as Partial<ObservationDetail>;
  return typeof value === 'string' && /^[<>=≤≥~\s]*[-+]?\d/.test(value);
}

/** Lists the panels of an entry by level, the nearest first; a report that lists what its panel lists too is a level above. */
function listPanels(entry: LinkedEntry, parents: Parents): NeededFact[] {
  const levels = new Map<LinkedEntry, number>();
  let nearest: readonly LinkedEntry[] = [entry];
  for (let level = 1; level <= MAX_LEVEL && nearest.length > 0; level++) {
    const next = new Set(nearest.flatMap((each) => parents.get(each) ?? []));
    next.delete(entry);
    for (const parent of next) levels.set(parent, level);
    nearest = [...next].filter((each) => levels.get(each) === level);
  }
  return [...levels].map(([parent, level]) => toFact('panel', parent, level));
}

const EXPLAINING: readonly Exclude<LinkRole, 'member' | 'replaces' | 'appends' | 'within'>[] = [
  'derived',
  'reason',
  'order',
  'specimen',
  'part',
  'device',
];

/** Lists what the entry refers to; a specimen, and an order, is also that of its panel where it has none of its own. */
function listExplanations(entry: LinkedEntry, byReference: ByReference, parents: Parents): NeededFact[] {
  const own = parents.get(entry) ?? [];
  return EXPLAINING.flatMap((role) => {
    const isInherited = role === 'specimen' || role === 'order';
    for (const level of isInherited
      ? [[entry], own, own.flatMap((each) => parents.get(each) ?? [])]
      : [[entry]]) {
      const targets = level
        .flatMap((each) => getTargets(each, role))
        .flatMap((target) => {
          const found = pickEntry(byReference.get(target));
          // What is a panel of the entry is not repeated.
          return found && found !== entry && !own.includes(found) ? found : [];
        });
      if (targets.length > 0)
        return [...new Set(targets)].map((target, index) =>
          toFact(role, target, role === 'reason' ? index + 1 : 1),
        );
    }
    return [];
  });
}

/** Lists the conditions that were diagnosed at a visit: its reason where it states none itself. */
function listDiagnoses(visit: LinkedEntry, conditions: readonly LinkedEntry[]): NeededFact[] {
  const { reason } = visit.detail as Details['visit'];
  const hasReason = reason !== null || getTargets(visit, 'reason').length > 0;
  const byResource = Map.groupBy(conditions, ({ reference }) => reference).values();
  const stated = [...byResource]
    .flatMap((each) => pickEntry(each) ?? [])
    .filter(({ detail }) => {
      const { none, verification } = detail as Details['condition'];
      return !none && verification !== 'refuted';
    });
  const distinct = new Map(stated.map((each) => [`${each.title} ${each.requiredLabels}`, each]));
  const ranks = new Map(getTargets(visit, 'reason').map((target, index) => [target, index + 1]));
  return [...distinct.values()].map((each) =>
    toFact(hasReason ? 'diagnosis' : 'reason', each, ranks.get(each.reference) ?? ranks.size + 1),
  );
}

/** Whether a panel says nothing but its name: then its results, where they are shown, say it with theirs. */
function isHeading(entry: LinkedEntry): boolean {
  if (isMeasure(entry)) {
    const { value, components } = entry.detail as ObservationDetail;
    return value === null && components.length === 0;
  }
  return 'text' in entry.detail && 'type' in entry.detail && entry.detail.text === null;
}

function findListedBy(entry: LinkedEntry, byReference: ByReference, parents: Parents): ListedBy[] {
  const members = [
    ...getTargets(entry, 'member').flatMap((target) => byReference.get(target) ?? []),
    ...findWithin(entry, byReference),
  ];
  const named = members.filter((member) => parents.get(member)?.includes(entry));
  const masks =
    isHeading(entry) && entry.kind !== 'note'
      ? [...new Set(named.map(({ requiredLabels }) => requiredLabels))].sort((a, b) => a - b)
      : [];
  if (masks.join() === entry.listedBy.join()) return [];
  return [{ seq: entry.seq, ordinal: entry.ordinal, masks }];
}
