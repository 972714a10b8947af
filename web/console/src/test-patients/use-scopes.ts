import { formatList } from '../../../kit/format-list.ts';
import { useConsentWords } from '../consents/use-consent-words.ts';
import { useLanguage } from '../words/use-words.ts';
import { useTestPatientWords } from './use-test-patient-words.ts';
import type { ScopeNames, Withheld } from './withheld.ts';

/** The names of what consents cover, and how what one covers is said in the fewest words. */
export function useScopes(): {
  names: ScopeNames;
  getLabel: (name: string) => string;
  format: (withheld: Withheld) => string;
} {
  const { categories, classes } = useConsentWords();
  const { scopes: words } = useTestPatientWords();
  const { language } = useLanguage();
  const labels: Readonly<Record<string, string>> = { ...categories, ...classes };
  const names = { categories: Object.keys(categories), classes: Object.keys(classes) };
  const getLabel = (name: string): string => labels[name] ?? name;
  const join = (some: readonly string[]): string => formatList(some.map(getLabel), language);
  const format = (withheld: Withheld): string => {
    const all = [...names.categories, ...names.classes];
    if (withheld.size === 0) return words.everything;
    const hasNoClass = names.classes.every((name) => withheld.has(name));
    const left = (hasNoClass ? names.categories : all).filter((name) => withheld.has(name));
    const covered = names.categories.filter((name) => !withheld.has(name));
    if (covered.length < names.categories.length / 2) return words.only(join(covered));
    const missing = [...left.map(getLabel), ...(hasNoClass ? [words.allClasses] : [])];
    return words.except(formatList(missing, language));
  };
  return { names, getLabel, format };
}
