import type { DataMask } from '../../../contract/brands.ts';
import {
  ResourceScope,
  RestrictedScope,
  SensitivityScope,
  type ConsentScopes,
} from '../../../contract/data-categories.ts';

/** What a decision covers, as the consent record stores it. */
export interface DataScopes {
  /** null: all categories. */
  resourceScopes: readonly ResourceScope[] | null;
  /** Includes NORMAL; null: no class is left out. */
  sensitivityScopes: readonly SensitivityScope[] | null;
}

/** The scopes of a decision that leaves out nothing. */
export const ALL_DATA_SCOPES: DataScopes = { resourceScopes: null, sensitivityScopes: null };

/** A bit for each category and each restricted class, in the order of the contract: columns `required_labels` and `withheld`. */
const LABEL_BITS: ReadonlyMap<ResourceScope | RestrictedScope, number> = new Map(
  [...ResourceScope.options, ...RestrictedScope.options].map((name, index) => [name, 1 << index]),
);

export const NO_LABELS = 0 as DataMask;

/**
 * Required, besides its classes, by whatever is of a restricted class and was fetched from a connected server. The consent of
 * a test patient that names no classes covers all of what was uploaded, which is made up, and leaves this out: what a server
 * sends may be somebody's, whatever it is tagged with. Far above the other bits, which are appended to.
 */
export const FETCHED_RESTRICTED = (1 << 30) as DataMask;

export const labelBit = (name: ResourceScope | RestrictedScope): DataMask =>
  (LABEL_BITS.get(name) ?? NO_LABELS) as DataMask;

export const combineMasks = (one: DataMask, other: DataMask): DataMask => (one | other) as DataMask;

export const intersectMasks = (one: DataMask, other: DataMask): DataMask => (one & other) as DataMask;

/** The labels of one mask that another has not. */
export const excludeMask = (one: DataMask, other: DataMask): DataMask => (one & ~other) as DataMask;

export const toLabelMask = (names: readonly (ResourceScope | RestrictedScope)[]): DataMask =>
  names.map(labelBit).reduce(combineMasks, NO_LABELS);

/** Required by what nobody knows the categories and classes of. */
export const ALL_LABELS = [...LABEL_BITS.keys()].map(labelBit).reduce(combineMasks, NO_LABELS);

/** Returns the mask of what a consent must cover to show a fact of this category and these classes. */
export const toRequiredMask = (
  category: ResourceScope,
  restricted: Iterable<RestrictedScope> = [],
): DataMask => toLabelMask([category, ...restricted]);

/** Returns the mask of what a decision leaves out. */
export function toWithheldMask({ resourceScopes, sensitivityScopes }: DataScopes): DataMask {
  const categories = ResourceScope.options.filter((name) => resourceScopes?.includes(name) === false);
  const classes = RestrictedScope.options.filter((name) => sensitivityScopes?.includes(name) === false);
  return toLabelMask([...categories, ...classes]);
}

/** Lists those of the 18 categories that a mask has. */
export const listCategories = (mask: DataMask): ResourceScope[] =>
  ResourceScope.options.filter((name) => mask & labelBit(name));

/** Lists the restricted classes that are left out, of fetched records at least. */
export const listWithheldClasses = (withheld: DataMask): RestrictedScope[] =>
  RestrictedScope.options.filter((name) => withheld & (labelBit(name) | FETCHED_RESTRICTED));

/** Sorts both lists in the contract's order; all categories become null. */
export function toDataScopes(
  resourceScopes: readonly ResourceScope[] | null,
  sensitivityScopes: readonly SensitivityScope[] | null,
): DataScopes {
  const categories = ResourceScope.options.filter((name) => resourceScopes?.includes(name) !== false);
  return {
    resourceScopes: categories.length === ResourceScope.options.length ? null : categories,
    sensitivityScopes:
      sensitivityScopes && SensitivityScope.options.filter((name) => sensitivityScopes.includes(name)),
  };
}

/** Returns what a decision covers without what a mask leaves out besides. */
export function excludeLabels(scopes: DataScopes, withheld: DataMask): DataScopes {
  if (withheld === NO_LABELS) return scopes;
  const classes = new Set<SensitivityScope>(listWithheldClasses(withheld));
  const categories = listCategories(withheld);
  return {
    resourceScopes: toDataScopes(
      (scopes.resourceScopes ?? ResourceScope.options).filter((name) => !categories.includes(name)),
      null,
    ).resourceScopes,
    sensitivityScopes:
      scopes.sensitivityScopes === null && classes.size === 0
        ? null
        : (scopes.sensitivityScopes ?? SensitivityScope.options).filter((name) => !classes.has(name)),
  };
}

/** Returns what either of two decisions covers. */
export const combineScopes = (one: DataScopes, other: DataScopes): DataScopes =>
  toDataScopes(
    one.resourceScopes && other.resourceScopes && [...one.resourceScopes, ...other.resourceScopes],
    one.sensitivityScopes &&
      other.sensitivityScopes && [...one.sensitivityScopes, ...other.sensitivityScopes],
  );

/** Formats scopes for records, summaries and events: both lists are null for the full record without restricted data. */
export function toScopesDto({ resourceScopes, sensitivityScopes }: DataScopes): ConsentScopes {
  const isFull =
    resourceScopes === null &&
    (sensitivityScopes === null || sensitivityScopes.every((name) => name === 'NORMAL'));
  return {
    fullRecordWithoutRestrictedData: isFull,
    consentDataResourceScopes: isFull ? null : [...(resourceScopes ?? ResourceScope.options)],
    consentDataSensitivityScopes: isFull ? null : [...(sensitivityScopes ?? SensitivityScope.options)],
  };
}
