import type { DataMask } from '../../../../contract/brands.ts';
import { combineMasks, excludeMask, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import { findRedactions, type MentioningResource, type RedactedParts } from '../../labels/find-redactions.ts';
import type { Mention } from '../../labels/mentions.ts';
import { isOfParty } from '../../labels/parties.ts';
import { RESTRICTED_MASK } from './inherited-masks.ts';
import type { KnownCategories } from './load-targets.ts';

interface ParsedRow extends MentioningResource {
  row: { body: string };
  /** What a bill answers, where the record holds it. */
  claims: readonly MentioningResource[];
}

/** What the record knows of what parts refer to. */
interface KnownLabels {
  categories: KnownCategories;
  addedLabels: ReadonlyMap<string, DataMask>;
  /** Who, where and what, by the names that references have for them. */
  parties: ReadonlyMap<string, DataMask>;
}

/** Finds the parts of a resource that require more than it. */
export const redactParts = (
  { resource, row, mentions, claims }: ParsedRow,
  requiredLabels: DataMask,
  known: KnownLabels,
): RedactedParts =>
  findRedactions(
    { resource, body: row.body, mentions, claims },
    { requiredLabels, getTargetLabels: (mention) => getTargetLabels(mention, known) },
  );

/**
 * What a consent must cover for a reference to be shown: what its target requires, as far as the record knows it. Of a place that is only
 * named where somebody belongs, as of one where something was done, what it mentions besides is none of it.
 */
function getTargetLabels(
  { target, labels, isLeftOut }: Mention,
  { categories, addedLabels, parties }: KnownLabels,
): DataMask {
  const added = addedLabels.get(target ?? '') ?? NO_LABELS;
  const ofParty = isLeftOut && isOfParty(target ?? '') ? parties.get(target ?? '') : undefined;
  return combineMasks(
    categories.get(target ?? '') ?? labels,
    ofParty === undefined ? added : combineMasks(ofParty, excludeMask(added, RESTRICTED_MASK)),
  );
}
