import { listDistinct, locateReferences, rewriteReferences } from '../../store/references.ts';
import type { BundleIndex } from './index-bundle.ts';
import { createLocalLookup, type FindLocally, type Reference } from './resolve-references.ts';
import type { SpooledResource } from './resource-spool.ts';

/** A resource's text with its references to resources of the same upload rewritten, which no statement has to be asked for. */
export interface LinkedText {
  /** References that lead to nothing of the upload, each once: they may lead to what was stored before. */
  missing: readonly Reference[];
  /** Returns the text with the missing ones rewritten too that `resolve` knows. */
  relink(resolve: (reference: Reference) => string | undefined): string;
}

/** Links the texts of a page. The references of a page are looked up once, however many of its resources make them. */
export function createLinker(bundleIndex: BundleIndex): (resource: SpooledResource) => LinkedText {
  const findLocally = createLocalLookup(bundleIndex);
  return (resource) => linkText(resource, { origin: bundleIndex.getOrigin(resource.facts), findLocally });
}

function linkText(
  { text }: SpooledResource,
  { origin, findLocally }: { origin: string; findLocally: FindLocally },
): LinkedText {
  const located = locateReferences(text);
  const local = new Map<string, string>();
  const missing: Reference[] = [];
  for (const reference of listDistinct(located)) {
    const written = { reference, origin };
    const to = findLocally(written);
    if (to === undefined) missing.push(written);
    else if (to !== reference) local.set(reference, to);
  }
  const linked = rewriteReferences(text, local, located);
  return {
    missing,
    relink(resolve) {
      const stored = resolveAll(missing, resolve);
      return stored.length === 0 ? linked : rewriteReferences(text, new Map([...local, ...stored]), located);
    },
  };
}

/** Pairs of a reference as it was written and as it is to be, of those that change. */
const resolveAll = (
  references: readonly Reference[],
  resolve: (reference: Reference) => string | undefined,
): [string, string][] =>
  references.flatMap((reference) => {
    const to = resolve(reference);
    return to === undefined || to === reference.reference ? [] : [[reference.reference, to]];
  });
