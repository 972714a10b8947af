import { Notice } from '../../../kit/notice.tsx';
import type { ProjectContent } from '../api.ts';
import { Section } from '../../../patient/section.tsx';
import { useLanguage, useWords } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
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
  const contact = project.content?.contact ?? null;
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
        {contact && <Contact contact={contact} />}
      </dl>
    </Section>
  );
}

/** The contact as links, so that a person can ask before they decide. */
function Contact({ contact: { name, email, phone } }: { contact: NonNullable<ProjectContent['contact']> }) {
  const { why } = useWords().review;
  if (name === null && email === null && phone === null) return null;
  return (
    <DetailRow name={why.contact} prose>
      {name !== null && <span className="line">{name}</span>}
      {phone !== null && (
        <a className="line" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
          {phone}
        </a>
      )}
      {email !== null && (
        <a className="line" href={`mailto:${email}`}>
          {email}
        </a>
      )}
    </DetailRow>
  );
}
