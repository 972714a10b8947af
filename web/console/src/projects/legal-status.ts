import type { ConsentType } from '../../../../contract/account/consent.ts';
import type { Language } from '../../../kit/languages.ts';
import { type Readability, rateTexts } from '../../../kit/readability.ts';
import { type ContentTexts, isStarted, readTexts } from './content-fields.ts';
import { LANGUAGES, type VersionContent } from './project-data.ts';

/** What the words in one language do for an authorization, of those that decide it themselves. */
export interface LegalStatus {
  /** The consent whose own words they are; null: the project. */
  type: ConsentType | null;
  language: Language;
  /** 45 CFR 164.508(c)(1)(iv): what the records are used for. */
  hasPurpose: boolean;
  /** 45 CFR 164.508(c)(3), plain language; null: too little is written to say. */
  reading: Readability | null;
}

/** Rates the words of the project, and of each consent with words of its own, in each language that is begun. */
export function rateVersion({ content, consentTypes }: VersionContent): LegalStatus[] {
  const own = consentTypes.flatMap((asked) =>
    asked.content === null ? [] : [{ type: asked.type, texts: readTexts(asked.content) }],
  );
  return [{ type: null, texts: readTexts(content) }, ...own].flatMap(({ type, texts }) => {
    const begun = LANGUAGES.filter((language) => isStarted(texts, language));
    return (begun.length === 0 ? LANGUAGES.slice(0, 1) : begun).map((language) => ({
      type,
      language,
      hasPurpose: (texts[`${language}.purpose`] ?? '').trim() !== '',
      reading: rateTexts(listTexts(texts, language), language),
    }));
  });
}

/** Titles are left out: a fragment of two words would make the whole look easier than it is. */
const listTexts = (texts: ContentTexts, language: Language): string[] =>
  Object.entries(texts).flatMap(([field, text]) =>
    field.startsWith(`${language}.`) && !field.endsWith('.title') ? [text] : [],
  );
