import type { ConsentStatus } from '../../../../contract/account/consent.ts';
import type { ConsentScopes } from '../../../../contract/data-categories.ts';
import { formatList } from '../../../kit/format-list.ts';
import type { Language } from '../../../kit/languages.ts';
import type { ConsentWords } from './words/en.ts';

type Category = keyof ConsentWords['categories'];
type RestrictedClass = keyof ConsentWords['classes'];

/** In the order in which people read them. */
export const listCategories = ({ categories }: ConsentWords): Category[] =>
  Object.keys(categories) as Category[];

export const listClasses = ({ classes }: ConsentWords): RestrictedClass[] =>
  Object.keys(classes) as RestrictedClass[];

/** A no names no categories, as a yes to everything does: it covers nothing. */
export const isConsent = ({ consentStatus }: { consentStatus: ConsentStatus }): boolean =>
  consentStatus === 'OPTED_IN';

export const coversCategory = (scopes: ConsentScopes, category: Category): boolean =>
  scopes.consentDataResourceScopes?.includes(category) !== false;

export const coversClass = (scopes: ConsentScopes, name: RestrictedClass): boolean =>
  scopes.consentDataSensitivityScopes?.includes(name) === true;

/** What a consent covers, in the fewest words: by what it leaves out, or by what it names. */
export function formatScope(scopes: ConsentScopes, words: ConsentWords, language: Language): string {
  const all = listCategories(words);
  const shared = all.filter((category) => coversCategory(scopes, category));
  const name = (categories: readonly Category[]): string =>
    formatList(
      categories.map((category) => words.categories[category]),
      language,
    );
  if (shared.length === all.length)
    return listClasses(words).every((each) => coversClass(scopes, each))
      ? words.scope.everythingAndMore
      : words.scope.everything;
  if (shared.length <= all.length / 2) return words.scope.only(name(shared));
  return words.scope.except(name(all.filter((category) => !shared.includes(category))));
}
