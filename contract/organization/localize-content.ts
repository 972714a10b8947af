import type { ResourceScope } from '../data-categories.ts';
import type { ProjectContent } from './projects.ts';

type Language = 'en' | 'es';

type Content = NonNullable<ProjectContent['en']>;

/** A text of a project, and the language that it is written in. */
export interface LocalizedText {
  text: string;
  lang: Language;
}

/** Each text of a project in the person's language where it is written in it, else in the other; null: in neither. */
export interface LocalizedContent {
  title: LocalizedText | null;
  purpose: LocalizedText | null;
  benefits: LocalizedText | null;
  risks: LocalizedText | null;
  categoryPurposes: ReadonlyMap<ResourceScope, LocalizedText>;
}

/**
 * Localizes a project's content text by text: risks that are written in one language alone are shown in that one, since
 * whoever reads the other must not miss them. Null where nothing is written.
 */
export function localizeContent(content: ProjectContent | null, language: Language): LocalizedContent | null {
  if (!content?.en && !content?.es) return null;
  const languages = [language, language === 'en' ? 'es' : 'en'] as const;
  const find = (read: (texts: Content) => string | null | undefined): LocalizedText | null => {
    for (const lang of languages) {
      const texts = content[lang];
      const text = texts && read(texts);
      if (text) return { text, lang };
    }
    return null;
  };
  const categories = new Set(
    languages.flatMap((lang) => Object.keys(content[lang]?.categoryPurposes ?? {}) as ResourceScope[]),
  );
  return {
    title: find(({ title }) => title),
    purpose: find(({ purpose }) => purpose),
    benefits: find(({ benefits }) => benefits),
    risks: find(({ risks }) => risks),
    categoryPurposes: new Map(
      [...categories].flatMap((category) => {
        const localized = find(({ categoryPurposes }) => categoryPurposes?.[category]);
        return localized === null ? [] : [[category, localized] as const];
      }),
    ),
  };
}

/** Whether what is written about a project is in the other language alone, so that it is said once. */
export const isForeign = (
  { title, purpose, benefits, risks }: LocalizedContent,
  language: Language,
): boolean => [title, purpose, benefits, risks].every((text) => text?.lang !== language);
