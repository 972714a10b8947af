import { type ReactNode, useEffect, useState } from 'react';
import type { Person } from '../../../patient/account-api.ts';
import { preloadCapture } from '../evidence/capture-element.ts';
import type { Draft } from '../draft/use-draft.ts';
import { Notice } from '../../../kit/notice.tsx';
import type { Decide } from '../request/use-decide.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useLanguage } from '../words/use-words.ts';
import { useDecisionSteps } from './use-decision-steps.ts';
import { validateChoices } from './choices.ts';
import { Decision } from './decision.tsx';
import { formatRequester, type ReviewSubject } from './review-subject.ts';
import { SECTIONS } from './sections.ts';
import { useNow } from './use-now.ts';
import './review.css';

export interface ReviewScreenProps {
  interaction: ReviewSubject;
  /** Which of several decisions this is. */
  above?: ReactNode;
  person: Person;
  draft: Draft;
  decide: Decide;
  /** Shows the screen before once more, whose picture is missing. */
  confirmAgain: () => void;
  /** Whose evidence this screen belongs to. */
  evidenceOwner: string;
}

export function Review({ hasChanged = false, ...props }: ReviewScreenProps & { hasChanged?: boolean }) {
  const { interaction, person, draft } = props;
  const { choices, updateChoices } = draft;
  const { words, language } = useLanguage();
  const { review } = words;
  const [attempt, setAttempt] = useState(0);
  useEffect(preloadCapture, []);
  const now = useNow();
  const allErrors = validateChoices(choices, words, { now, language });
  // Shown after the first attempt, and gone as soon as they are corrected.
  const errors = attempt === 0 ? [] : allErrors;
  const sectionProps = { interaction, person, choices, updateChoices, errors, now };
  const { allow, deny, progress } = useDecisionSteps(props);

  const validate = (): boolean => {
    setAttempt(attempt + 1);
    return allErrors.length === 0;
  };
  return (
    <Screen
      name="review"
      above={props.above}
      title={review.title(formatRequester(interaction, words))}
      lead={review.lead}
    >
      {hasChanged && <Notice kind="warning">{review.short.changed}</Notice>}
      {draft.isLost && <Notice kind="warning">{review.choicesLost}</Notice>}
      <div>
        {SECTIONS.map((Section) => (
          <Section key={Section.name} {...sectionProps} />
        ))}
        <Decision
          {...sectionProps}
          {...{ attempt, progress }}
          onValidate={validate}
          onAllow={allow}
          onDeny={deny}
        />
      </div>
    </Screen>
  );
}
