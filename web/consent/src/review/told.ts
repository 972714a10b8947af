import type { ProjectContent } from '../api/api.ts';
import type { Language } from '../words/spoken.ts';

type Told = NonNullable<ProjectContent['en']>;

/** What a project tells, in the person's language or else in the other. */
export function toldIn(
  content: ProjectContent | null,
  language: Language,
): { told: Told; lang: Language } | null {
  const other = language === 'en' ? 'es' : 'en';
  for (const lang of [language, other] as const) {
    const told = content?.[lang];
    if (told) return { told, lang };
  }
  return null;
}
