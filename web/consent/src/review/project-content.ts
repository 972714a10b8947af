import type { ProjectContent } from '../api.ts';
import type { Language } from '../../../kit/languages.ts';

type LocalizedContent = NonNullable<ProjectContent['en']>;

/** Returns a project's content in the person's language, else in the other. */
export function localizeContent(
  content: ProjectContent | null,
  language: Language,
): { texts: LocalizedContent; lang: Language } | null {
  const other = language === 'en' ? 'es' : 'en';
  for (const lang of [language, other] as const) {
    const texts = content?.[lang];
    if (texts) return { texts, lang };
  }
  return null;
}
