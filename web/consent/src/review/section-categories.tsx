import { findError } from '../../../kit/form.tsx';
import { CategoryPicker } from '../../../patient/data/category-picker.tsx';
import { EmptyRecord } from '../../../patient/data/empty-record.tsx';
import { useRecordCounts } from '../../../patient/data/use-record-counts.ts';
import { Section } from '../../../patient/section.tsx';
import { useLanguage } from '../words/use-words.ts';
import type { ReviewProps } from './review-props.ts';
import { FIELD_IDS } from './choices.ts';
import { DetailRow } from './detail-row.tsx';
import { formatRecipients } from './names.ts';
import { isForeign, localizeContent } from '../../../../contract/organization/localize-content.ts';

export function CategoriesSection({ interaction, choices, updateChoices, errors }: ReviewProps) {
  const { words, language } = useLanguage();
  const { what, why } = words.review;
  const counts = useRecordCounts();
  const { organization, project } = interaction;
  const localized = localizeContent(project.content, language);
  return (
    <Section icon="record" title={what.title}>
      <dl className="facts">
        <DetailRow name={what.gives} element="164.508(c)(1)(ii)" prose>
          {what.givesText(organization.name)}
        </DetailRow>
        <DetailRow name={what.gets} element="164.508(c)(1)(iii)" prose>
          {formatRecipients(interaction, words)}
        </DetailRow>
      </dl>
      <p>{what.readOnly}</p>
      <EmptyRecord counts={counts} goesOn />
      <div data-element="164.508(c)(1)(i)">
        <CategoryPicker
          legend={what.choose}
          shared={choices.categories}
          counts={counts}
          purposes={
            localized && {
              organization: organization.name,
              texts: localized.categoryPurposes,
              otherLanguage: isForeign(localized, language) ? null : why.onlyThisIn,
            }
          }
          error={findError(errors, FIELD_IDS.categories)}
          onChange={(categories) => updateChoices({ categories })}
        />
      </div>
    </Section>
  );
}
