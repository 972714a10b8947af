import { joinTitles } from '../../../kit/format-list.ts';
import type { Category, Sensitivity } from '../../../patient/data/groups.ts';
import type { Words } from '../words/en.ts';
import { useWords } from '../words/use-words.ts';
import { compareWithConsent } from './compare-with-consent.ts';
import { DetailRow } from './detail-row.tsx';
import type { ReviewProps } from './review-props.ts';

/**
 * What a yes to an app changes for the organization and the other apps, where they read already: they keep what they have,
 * and the organization gets what is new.
 */
export function Compared({
  interaction,
  choices,
  now,
}: Pick<ReviewProps, 'interaction' | 'choices' | 'now'>) {
  const words = useWords();
  const { compared } = words.review.decision;
  const { client, previous, organization } = interaction;
  if (client === null || previous?.inForce !== true) return null;
  const { missing, added, ends } = compareWithConsent(choices, previous, now);
  // What is new and ends sooner is no less than what is shared.
  const isLess = missing.length > 0 || (ends === 'sooner' && added.length === 0);
  const isMore = added.length > 0 || ends === 'later';
  return (
    <section
      className={isLess || isMore ? 'in-short stack' : undefined}
      aria-label={compared.title}
      role="status"
    >
      {isLess || isMore ? <h3>{compared.title}</h3> : <p>{compared.same(organization.name)}</p>}
      {isLess && (
        <p>
          <strong>{compared.less(organization.name)}</strong> {ends === 'sooner' && compared.sooner}{' '}
          {ends === 'later' && compared.missingEnds}
        </p>
      )}
      {isMore && (
        <p>
          <strong>{compared.more(organization.name)}</strong> {ends === 'later' && compared.later}{' '}
          {ends === 'sooner' && compared.addedEnds(organization.name)}
        </p>
      )}
      {(missing.length > 0 || added.length > 0) && (
        <dl className="facts">
          {missing.length > 0 && (
            <DetailRow name={compared.missing}>{formatLabels(missing, words)}</DetailRow>
          )}
          {added.length > 0 && <DetailRow name={compared.added}>{formatLabels(added, words)}</DetailRow>}
        </dl>
      )}
      {isLess && <p>{compared.forAll}</p>}
    </section>
  );
}

const formatLabels = (labels: readonly (Category | Sensitivity)[], { data }: Words): string =>
  joinTitles(labels.map((name) => ({ ...data.categories, ...data.sensitivities })[name].name));
