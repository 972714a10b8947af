import { Notice } from '../../../kit/notice.tsx';
import { Section } from '../../../patient/section.tsx';
import { useLanguage } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { ContactLines, isEmptyContact } from './contact-lines.tsx';
import { DetailRow } from './detail-row.tsx';
import { Prose } from './prose.tsx';
import { Purpose } from './purpose.tsx';
import {
  isForeign,
  localizeContent,
  type LocalizedText,
} from '../../../../contract/organization/localize-content.ts';

export function PurposeSection({ interaction }: ReviewProps) {
  const { organization, project } = interaction;
  const { words, language } = useLanguage();
  const { why } = words.review;
  const localized = localizeContent(project.content, language);
  const isAllForeign = localized !== null && isForeign(localized, language);
  const contact = project.content?.contact ?? organization.contact;
  return (
    <Section icon="building" title={why.title}>
      {isAllForeign && <Notice>{why.onlyIn}</Notice>}
      <dl className="facts">
        <DetailRow name={why.organization}>{organization.name}</DetailRow>
        <DetailRow name={why.project}>
          <Written text={localized?.title ?? null} isAllForeign={isAllForeign} otherwise={project.name} />
        </DetailRow>
        <DetailRow name={why.purpose} element="164.508(c)(1)(iv)" prose>
          {localized?.purpose ? (
            <Written text={localized.purpose} isAllForeign={isAllForeign} />
          ) : (
            <Purpose interaction={interaction} />
          )}
        </DetailRow>
        {localized?.benefits && (
          <DetailRow name={why.benefits} prose>
            <Written text={localized.benefits} isAllForeign={isAllForeign} />
          </DetailRow>
        )}
        {localized?.risks && (
          <DetailRow name={why.risks} prose>
            <Written text={localized.risks} isAllForeign={isAllForeign} />
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

interface WrittenProps {
  text: LocalizedText | null;
  /** Said of the whole section: all of it is in the other language. */
  isAllForeign: boolean;
  otherwise?: string;
}

/** A text of the project; of one that is in the other language alone, that. */
function Written({ text, isAllForeign, otherwise = '' }: WrittenProps) {
  const { words, language } = useLanguage();
  if (text === null) return otherwise;
  return (
    <>
      <Prose {...text} />
      {!isAllForeign && text.lang !== language && (
        <span className="soft small"> ({words.review.why.onlyThisIn})</span>
      )}
    </>
  );
}
