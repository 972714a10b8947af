import type { ConsentScopes, RestrictedScope } from '../../../../../contract/data-categories.ts';
import { ALL_CATEGORIES, PRIVATE_CLASSES, type Category, type PrivateClass } from '../../data/groups.ts';
import type { Words } from '../../words/en.ts';
import { listOf } from '../../words/list.ts';
import type { Language } from '../../words/spoken.ts';

interface Shared {
  categories: readonly Category[];
  classes: readonly PrivateClass[];
}

/** What a decision covers, spelled out, in the order in which it is chosen. */
export function sharedOf(scopes: ConsentScopes): Shared {
  const { consentDataResourceScopes: categories, consentDataSensitivityScopes: classes } = scopes;
  const isShared = (name: RestrictedScope): boolean => classes?.includes(name) ?? false;
  return {
    categories: ALL_CATEGORIES.filter((name) => categories?.includes(name) !== false),
    classes: PRIVATE_CLASSES.filter(isShared),
  };
}

/** As long as fewer are left out than this, it is said what is left out. */
const FEW = 6;

export function kindsText({ categories }: Shared, { data, myData }: Words, language: Language): string {
  const { kinds } = myData;
  const missing = ALL_CATEGORIES.filter((name) => !categories.includes(name));
  if (missing.length === 0) return kinds.all;
  const names = (some: readonly Category[]): string =>
    listOf(
      some.map((name) => data.categories[name].name),
      language,
    );
  if (missing.length < FEW) return kinds.but(names(missing));
  return kinds.only(String(categories.length), String(ALL_CATEGORIES.length), names(categories));
}

export function classesText({ classes }: Shared, { data, myData }: Words, language: Language): string {
  if (classes.length === 0) return myData.classes.none;
  if (classes.length === PRIVATE_CLASSES.length) return myData.classes.all;
  return listOf(
    classes.map((name) => data.classes[name].name),
    language,
  );
}
