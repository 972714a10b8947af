import { ALL_CATEGORIES, SENSITIVITIES } from '../../../patient/data/groups.ts';
import type { Words } from '../words/en.ts';
import { useLanguage } from '../words/use-words.ts';
import { joinTitles } from '../../../kit/format-list.ts';
import type { ReviewProps } from './review-props.ts';
import type { Choices } from './choices.ts';
import { DetailRow } from './detail-row.tsx';
import { formatRecipients } from './names.ts';
import { Purpose } from './purpose.tsx';
import { getExpiry } from './duration.ts';
import { formatTerm } from './shared-until.ts';

/**
 * Repeats the choices above the two buttons, for those who went down the page without reading. On the short form it is where
 * they stand, with what they are for.
 */
export function ReviewSummary({
  interaction,
  choices,
  now,
  isShort,
}: Pick<ReviewProps, 'interaction' | 'choices' | 'now'> & { isShort: boolean }) {
  const { words, language } = useLanguage();
  const { decision, what, why } = words.review;
  const element = (number: string) => (isShort ? { element: `164.508(c)(1)(${number})` } : {});
  const expiresAt = getExpiry(choices, now);
  const sensitivities = SENSITIVITIES.filter((name) => choices.sensitivities.has(name)).map(
    (name) => words.data.sensitivities[name].name,
  );
  return (
    <section className="in-short stack" aria-label={decision.short}>
      <h3 className="hidden-visually">{decision.short}</h3>
      <dl className="facts">
        {isShort && (
          <DetailRow name={why.purpose} {...element('iv')} prose>
            <Purpose interaction={interaction} />
          </DetailRow>
        )}
        {isShort && (
          <DetailRow name={what.gives} {...element('ii')}>
            {what.givesText(interaction.organization.name)}
          </DetailRow>
        )}
        <DetailRow name={what.gets} {...element('iii')}>
          {formatRecipients(interaction, words)}
        </DetailRow>
        <DetailRow name={decision.read} {...element('i')}>
          {formatCategories(choices, words)}
        </DetailRow>
        <DetailRow name={decision.private}>
          {sensitivities.length === 0 ? decision.noPrivate : joinTitles(sensitivities)}
        </DetailRow>
        {expiresAt !== null && (
          <DetailRow name={decision.until} {...element('v')}>
            {formatTerm(interaction, { choices, now }, { words, language })}
          </DetailRow>
        )}
      </dl>
    </section>
  );
}

/** Lists what is shared or what is left out, whichever is shorter. */
function formatCategories({ categories }: Choices, { review, data }: Words): string {
  const listNames = (is: boolean): string[] =>
    ALL_CATEGORIES.filter((name) => categories.has(name) === is).map((name) => data.categories[name].name);
  const [yes, no] = [listNames(true), listNames(false)];
  if (no.length === 0) return review.decision.everything;
  if (yes.length === 0) return review.decision.nothing;
  return no.length < yes.length ? review.decision.but(joinTitles(no)) : review.decision.only(joinTitles(yes));
}
