import type { PreviousConsent } from '../api.ts';
import { SENSITIVITIES } from '../../../patient/data/groups.ts';
import { Section } from '../../../patient/section.tsx';
import { formatDay, formatWhenEnds } from '../../../kit/format-date.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { joinTitles } from '../../../kit/format-list.ts';
import type { ReviewProps } from './review-props.ts';
import { DetailRow } from './detail-row.tsx';
import { formatOtherApps } from './names.ts';
import { ContentChanges } from './content-changes.tsx';

/** For a person who consented before: what differs now, and what happens to that consent. */
export function PreviousConsentSection({ interaction: { previous, project } }: ReviewProps) {
  const { words, language } = useLanguage();
  const { changed } = words.review;
  if (!previous) return null;
  const { inForce, sameContent, samePage, content } = previous;
  const apps = formatOtherApps(previous, words, language);
  const decided = formatDay(previous.decidedAt, language);
  return (
    <Section icon="changed" title={inForce ? changed.sharing : changed.shared}>
      <p>
        {inForce
          ? changed.holds(
              decided,
              formatWhenEnds({ end: previous.expiresAt, since: previous.decidedAt }, language),
            )
          : changed.over(decided)}{' '}
        {!sameContent && <strong>{changed.contentChanged}</strong>}
      </p>
      {!sameContent && <ContentChanges previous={content} current={project.content} />}
      <dl className="facts">
        <DetailRow name={changed.earlier} prose>
          <PreviousScopes previous={previous} />
        </DetailRow>
      </dl>
      {!samePage && <p>{changed.pageChanged}</p>}
      {inForce && (
        <p>
          {changed.replaces} {apps !== null && changed.alsoFor(apps)}
        </p>
      )}
    </Section>
  );
}

/** The scopes of the earlier consent in the words of today's choices. */
function PreviousScopes({ previous }: { previous: PreviousConsent }) {
  const words = useWords();
  const { consentDataResourceScopes: categories, consentDataSensitivityScopes: sensitivities } = previous;
  if (previous.fullRecordWithoutRestrictedData) return words.review.changed.everything;
  const names = [
    ...(categories ?? []).map((category) => words.data.categories[category].name),
    ...SENSITIVITIES.filter((name) => sensitivities?.includes(name)).map(
      (name) => words.data.sensitivities[name].name,
    ),
  ];
  return joinTitles(names);
}
