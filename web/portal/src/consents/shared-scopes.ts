import type { ConsentScopes, RestrictedScope } from '../../../../contract/data-categories.ts';
import {
  ALL_CATEGORIES,
  SENSITIVITIES,
  type Category,
  type Sensitivity,
} from '../../../patient/data/groups.ts';
import type { Words } from '../words/en.ts';
import { formatList } from '../../../kit/format-list.ts';
import type { Language } from '../../../kit/languages.ts';

export interface SharedScopes {
  categories: readonly Category[];
  sensitivities: readonly Sensitivity[];
}

/** Lists the categories and classes that a decision covers, in the order in which they are offered. */
export function toSharedScopes(scopes: ConsentScopes): SharedScopes {
  const { consentDataResourceScopes: categories, consentDataSensitivityScopes: sensitivities } = scopes;
  const isShared = (name: RestrictedScope): boolean => sensitivities?.includes(name) ?? false;
  return {
    categories: ALL_CATEGORIES.filter((name) => categories?.includes(name) !== false),
    sensitivities: SENSITIVITIES.filter(isShared),
  };
}

/** Names what a consent covers and an app does not get, in the order in which it is offered. */
export const listMissing = (shared: SharedScopes, got: SharedScopes, { data }: Words): string[] => [
  ...shared.categories
    .filter((name) => !got.categories.includes(name))
    .map((name) => data.categories[name].name),
  ...shared.sensitivities
    .filter((name) => !got.sensitivities.includes(name))
    .map((name) => data.sensitivities[name].name),
];

/** Up to this number, what is left out is listed instead of what is shared. */
const MAX_LISTED_MISSING = 6;

export function formatCategories(
  { categories }: SharedScopes,
  { data, myData }: Words,
  language: Language,
): string {
  const { kinds } = myData;
  const missing = ALL_CATEGORIES.filter((name) => !categories.includes(name));
  if (missing.length === 0) return kinds.all;
  const formatNames = (some: readonly Category[]): string =>
    formatList(
      some.map((name) => data.categories[name].name),
      language,
    );
  if (missing.length < MAX_LISTED_MISSING) return kinds.but(formatNames(missing));
  return kinds.only(String(categories.length), String(ALL_CATEGORIES.length), formatNames(categories));
}

export function formatSensitivities(
  { sensitivities }: SharedScopes,
  { data, myData }: Words,
  language: Language,
): string {
  if (sensitivities.length === 0) return myData.sensitivities.none;
  if (sensitivities.length === SENSITIVITIES.length) return myData.sensitivities.all;
  return formatList(
    sensitivities.map((name) => data.sensitivities[name].name),
    language,
  );
}
