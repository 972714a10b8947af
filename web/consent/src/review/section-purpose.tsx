import { Notice } from '../../../kit/notice.tsx';
import { Section } from '../../../patient/section.tsx';
import { useLanguage } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { ContactLines, isEmptyContact } from './contact-lines.tsx';
import { DetailRow } from './detail-row.tsx';
import { Prose } from './prose.tsx';
import { Purpose } from './purpose.tsx';
import { localizeContent } from './project-content.ts';

export function PurposeSection({ interaction }: ReviewProps) {
  const { organization, project } = interaction;
  const { words, language } = useLanguage();
  const { why } = words.review;
  const localized = localizeContent(project.content, language);
  const lang = localized?.lang ?? language;
  const contact = project.content?.contact ?? organization.contact;
  return (
    <Section icon="building" title={why.title}>
      {lang !== language && <Notice>{why.onlyIn}</Notice>}
      <dl className="facts">
        <DetailRow name={why.organization}>{organization.name}</DetailRow>
        <DetailRow name={why.project}>
          <Prose text={localized?.texts.title ?? project.name} lang={lang} />
        </DetailRow>
        <DetailRow name={why.purpose} element="164.508(c)(1)(iv)" prose>
          <Purpose interaction={interaction} />
        </DetailRow>
        {localized?.texts.benefits && (
          <DetailRow name={why.benefits} prose>
            <Prose text={localized.texts.benefits} lang={lang} />
          </DetailRow>
        )}
        {localized?.texts.risks && (
          <DetailRow name={why.risks} prose>
            <Prose text={localized.texts.risks} lang={lang} />
          </DetailRow>
        )}
        {contact && !isEmptyContact(contact) && (
          <DetailRow name={why.contact} prose>
            <ContactLines contact={contact} />
          </DetailRow>
        )}
      </dl>
    </Section>
  );
}
