import type { ConsentStatus } from '../../../../contract/account/consent.ts';
import type { ClientGrant, ConsentScopes } from '../../../../contract/data-categories.ts';
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

/**
 * What a consent covers, in the fewest words: by what it leaves out, or by what it names; and the protected classes, where it
 * covers some, or where "everything except" would seem to hold them.
 */
export function formatScope(scopes: ConsentScopes, words: ConsentWords, language: Language): string {
  const { scope } = words;
  const all = listCategories(words);
  const shared = all.filter((category) => coversCategory(scopes, category));
  const hasAll = shared.length === all.length;
  const names = formatCategories(shared, words, language);
  const classes = listClasses(words).filter((name) => coversClass(scopes, name));
  if (classes.length === 0) {
    if (hasAll) return scope.everything;
    return isListed(shared, all) ? names : scope.withoutClasses(names);
  }
  if (classes.length === listClasses(words).length)
    return hasAll ? scope.everythingAndMore : scope.withAllClasses(names);
  const classNames = formatList(
    classes.map((name) => words.classes[name]),
    language,
  );
  return hasAll ? scope.everythingWith(classNames) : scope.withClasses(names, classNames);
}

/** The parts of a consent with the end of each, on one line: what one covers is not covered until the end of another. */
export const formatParts = (parts: readonly ClientGrant[], words: ConsentWords, language: Language): string =>
  parts.map((part) => `${formatScope(part, words, language)}: ${part.expirationTimestamp}`).join('; ');

/** Whether what is shared is named, and not what is left out. */
const isListed = (shared: readonly Category[], all: readonly Category[]): boolean =>
  shared.length <= all.length / 2;

function formatCategories(shared: readonly Category[], words: ConsentWords, language: Language): string {
  const all = listCategories(words);
  const name = (categories: readonly Category[]): string =>
    formatList(
      categories.map((category) => words.categories[category]),
      language,
    );
  if (isListed(shared, all)) return words.scope.only(name(shared));
  return words.scope.except(name(all.filter((category) => !shared.includes(category))));
}
