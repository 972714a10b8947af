import type { ConsentTitles, ConsentType } from '../../../../contract/account/consent.ts';
import { formatList } from '../../../kit/format-list.ts';
import type { Language } from '../../../kit/languages.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import type { Words } from '../words/en.ts';

export interface TextContext {
  words: Words;
  language: Language;
}

/** What a consent is named by. */
export interface NamedConsent {
  consentType: ConsentType;
  organization: { name: string };
  project: { name: string; titles: ConsentTitles };
}

/** Returns the title that the person read, in their language, else in the other; without one the project's name. */
export function localizeTitle(
  { name, titles }: NamedConsent['project'],
  language: Language,
): { text: string; lang: Language | undefined } {
  const other = language === 'en' ? 'es' : 'en';
  const lang = [language, other].find((each) => titles[each as Language] !== null) as Language | undefined;
  return { text: (lang && titles[lang]) ?? name, lang };
}

/** The title within a sentence of ours. */
export const formatTitle = (project: NamedConsent['project'], { words, language }: TextContext): string =>
  formatClientName({ name: localizeTitle(project, language).text }, words);

/** What a consent does: "Riverside Clinic reads your record". */
export const formatConsentKind = (
  { consentType, organization }: Pick<NamedConsent, 'consentType' | 'organization'>,
  { words }: TextContext,
): string => words.myData.consents.names[consentType](formatClientName(organization, words));

/** Names a consent among all of a person. */
export const formatConsentName = (consent: NamedConsent, context: TextContext): string =>
  `${formatConsentKind(consent, context)} (${formatTitle(consent.project, context)})`;

/** The same within a sentence. */
export const quoteConsents = (consents: readonly NamedConsent[], context: TextContext): string =>
  formatList(
    consents.map((consent) => context.words.myData.consents.quoted(formatConsentName(consent, context))),
    context.language,
  );
