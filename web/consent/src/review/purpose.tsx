import { useLanguage } from '../words/use-words.ts';
import { Prose } from './prose.tsx';
import { formatRequester, type ReviewSubject } from './review-subject.ts';
import { localizeContent } from '../../../../contract/organization/localize-content.ts';

/**
 * The purpose in the project's words; 45 CFR 164.508(c)(1)(iv) and 42 CFR 2.31(a)(5) accept the person's own request as
 * one.
 */
export function Purpose({ interaction }: { interaction: ReviewSubject }) {
  const { project } = interaction;
  const { words, language } = useLanguage();
  const localized = localizeContent(project.content, language);
  if (localized?.purpose) return <Prose {...localized.purpose} />;
  if (project.purpose !== null) return <Prose text={project.purpose} />;
  return words.review.why.ownRequest(formatRequester(interaction, words));
}
