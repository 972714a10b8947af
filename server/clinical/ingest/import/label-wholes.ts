import { addInheritedLabels, type LabeledWhole, type SecurityLabel } from '../../labels/inherited-labels.ts';
import { SHARED_TYPES } from '../../labels/shared-types.ts';
import { hashText } from '../../store/identity.ts';
import { parseResource } from '../../store/parse-resource.ts';
import type { ImportPlan } from './import-plan.ts';
import type { BundleIndex } from './index-bundle.ts';
import type { ResourceFacts } from './read-facts.ts';
import type { SpooledResource } from './resource-spool.ts';

/** The Bundles of an upload that have security labels. They are known when all of it was read: `meta` may stand behind the entries. */
export interface LabeledWholes {
  add(path: string, whole: LabeledWhole): void;
  isEmpty(): boolean;
  /** Returns the labels of all that a resource lies in. */
  getLabels(facts: Pick<ResourceFacts, 'path' | 'position' | 'isUnrestricted'>): readonly SecurityLabel[];
}

export function createLabeledWholes(): LabeledWholes {
  // A file may hold as many as it has lines: each is looked up by where it lies.
  const byPath = new Map<string, Map<string, LabeledWhole[]>>();
  return {
    add(path, whole) {
      const ofFile = byPath.get(path) ?? new Map<string, LabeledWhole[]>();
      byPath.set(path, ofFile);
      const others = ofFile.get(whole.position);
      if (others === undefined) ofFile.set(whole.position, [whole]);
      else others.push(whole);
    },
    isEmpty: () => byPath.size === 0,
    getLabels({ path, position, isUnrestricted }) {
      const ofFile = byPath.get(path);
      if (ofFile === undefined) return [];
      return (
        listWholes(position)
          .flatMap((whole) => ofFile.get(whole) ?? [])
          // The label of what collects others may be the highest of theirs, and does not count for what says itself that it is none.
          .filter((whole) => whole.isDocument || !isUnrestricted)
          .flatMap(({ labels }) => labels)
      );
    },
  };
}

/** Lists where whatever a position lies in does, the innermost first. What follows a Bundle in a file without a list around them is not in it. */
function listWholes(position: string): string[] {
  const wholes: string[] = [];
  for (let end = position.lastIndexOf('.'); end > 0; end = position.lastIndexOf('.', end - 1))
    wholes.push(position.slice(0, end));
  return /^(?:entry|parameter)\[/.test(position) ? [...wholes, ''] : wholes;
}

/** Returns a resource of an upload with the labels of what it lies in. */
export type LabelResource = (resource: SpooledResource, plan: ImportPlan) => SpooledResource;

/**
 * Finds the labels that resources have because of what they lie in, whichever of their occurrences counts: a fact those of each of
 * them, and what many name (SHARED_TYPES) none where one of them has none. `labeled` counts those of each file, as they are labeled.
 */
export async function findInheritedLabels(
  bundleIndex: BundleIndex,
  wholes: LabeledWholes,
  read: () => AsyncIterable<SpooledResource>,
): Promise<{ label: LabelResource; labeled: ReadonlyMap<string, number> }> {
  const labeled = new Map<string, number>();
  if (wholes.isEmpty()) return { label: (resource) => resource, labeled };
  const byPlan = new Map<ImportPlan, readonly SecurityLabel[]>();
  for await (const { facts } of read()) {
    const plan = bundleIndex.findPlan(facts);
    if (plan === undefined) continue;
    const known = byPlan.get(plan);
    byPlan.set(plan, joinLabels(plan.type, wholes.getLabels(facts), known));
  }
  return {
    labeled,
    label(resource, plan) {
      const { path } = resource.facts;
      const own = addLabels(resource, byPlan.get(plan) ?? []);
      if (own !== resource) labeled.set(path, (labeled.get(path) ?? 0) + 1);
      return own;
    },
  };
}

function joinLabels(
  type: string,
  labels: readonly SecurityLabel[],
  known: readonly SecurityLabel[] | undefined,
): readonly SecurityLabel[] {
  if (known !== undefined && SHARED_TYPES.has(type) && (labels.length === 0 || known.length === 0)) return [];
  const joined = new Map(
    [...(known ?? []), ...labels].map((label) => [`${label.system ?? ''}|${label.code}`, label]),
  );
  return [...joined.values()];
}

/** The labels are a part of the content: without them it is another one. */
function addLabels(resource: SpooledResource, labels: readonly SecurityLabel[]): SpooledResource {
  if (labels.length === 0) return resource;
  const text = addInheritedLabels(resource.text, parseResource(resource.text), labels);
  return text === resource.text
    ? resource
    : { text, facts: { ...resource.facts, hash: hashText(text).toString('base64') } };
}
