import { useEffect } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Screen } from '../../../patient/screen.tsx';
import { Section } from '../../../patient/section.tsx';
import { preloadCapture } from '../evidence/capture-element.ts';
import { useBaseUrl } from '../base-url.ts';
import { useWords } from '../words/use-words.ts';
import { Decision } from './decision.tsx';
import type { ReviewProps } from './review-props.ts';
import { formatRequester } from './review-subject.ts';
import type { ReviewScreenProps } from './review.tsx';
import { RequesterSection } from './section-requester.tsx';
import { SharedSection } from './section-shared.tsx';
import { SHORT_REVIEW, useDecisionSteps } from './use-decision-steps.ts';
import { useNow } from './use-now.ts';
import { hasContact } from './has-contact.ts';
import './review.css';

interface ShortReviewProps extends ReviewScreenProps {
  onReadAll: () => void;
}

/**
 * The review of an app that this person let in before, where nothing has changed since: without choices, but with every
 * element that the whole review has. It says yes to what the app has already.
 */
export function ShortReview({ onReadAll, ...props }: ShortReviewProps) {
  const { interaction, person, draft } = props;
  const words = useWords();
  const { short } = words.review;
  useEffect(preloadCapture, []);
  const now = useNow();
  const { allow, deny, progress } = useDecisionSteps(props, SHORT_REVIEW);
  const { choices, updateChoices } = draft;
  const sectionProps: ReviewProps = { interaction, person, choices, updateChoices, errors: [], now };
  return (
    <Screen name="review-short" title={short.title(formatRequester(interaction, words))} lead={short.lead}>
      <div className="buttons">
        <Button onPress={onReadAll}>{short.readAll}</Button>
      </div>
      <div>
        <RequesterSection {...{ interaction, now }} isShort />
        <SharedSection interaction={interaction} />
        <GoodToKnow {...sectionProps} />
        <Decision
          {...sectionProps}
          {...{ progress }}
          isShort
          onValidate={() => true}
          onAllow={allow}
          onDeny={deny}
        />
      </div>
    </Screen>
  );
}

/** What the whole review has in three sections. */
function GoodToKnow({ interaction, choices }: ReviewProps) {
  const baseUrl = useBaseUrl();
  const words = useWords();
  const { away, good, stopping } = words.review;
  const client = formatRequester(interaction, words);
  const organization = interaction.organization.name;
  const readsAlone = interaction.offlineAccess && choices.duration !== 'once';
  return (
    <Section icon="info" title={good.title}>
      <p>{readsAlone ? away.text(client) : away.notText(client)}</p>
      <p data-element="164.508(c)(2)(i)">
        {stopping.text} <strong>{`${baseUrl.replace(/^https?:\/\//, '')}/consent/#/my-data`}</strong>.{' '}
        {hasContact(interaction) && stopping.writing(organization)} {stopping.limits}
      </p>
      <p data-element="164.508(c)(2)(ii)">{good.free(organization)}</p>
      <p data-element="164.508(c)(2)(iii)">{good.passedOn(client)}</p>
      <p data-element="164.508(c)(4)">{good.copy}</p>
    </Section>
  );
}
