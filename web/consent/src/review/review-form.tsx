import { type ReactNode, useState } from 'react';
import { Screen } from '../../../patient/screen.tsx';
import { useLanguage } from '../words/use-words.ts';
import { validateChoices } from './choices.ts';
import { Decision } from './decision.tsx';
import { isShared } from './other-readings.ts';
import type { ReviewProps } from './review-props.ts';
import { formatRequester } from './review-subject.ts';
import { SECTIONS } from './sections.ts';
import type { DecisionProgress } from './use-decision-steps.ts';
import { useNow } from './use-now.ts';
import './review.css';

interface ReviewFormProps extends Pick<ReviewProps, 'interaction' | 'person' | 'choices' | 'updateChoices'> {
  above?: ReactNode;
  progress: DecisionProgress | null;
  onAllow: () => Promise<void>;
  onDeny: () => Promise<void>;
  /** Stands before the sections. */
  children?: ReactNode;
}

/** All that a person reads and chooses before a decision. It knows no evidence and no service, so that the console shows it too. */
export function ReviewForm(props: ReviewFormProps) {
  const { interaction, person, choices, updateChoices, above, progress, onAllow, onDeny, children } = props;
  const { words, language } = useLanguage();
  const { review } = words;
  const [isAttempted, setIsAttempted] = useState(false);
  const now = useNow();
  const allErrors = validateChoices(choices, words, { now, language });
  // Shown after the first attempt, and gone as soon as they are corrected.
  const errors = isAttempted ? allErrors : [];
  const sectionProps = { interaction, person, choices, updateChoices, errors, now };
  const validate = (): boolean => {
    setIsAttempted(true);
    return allErrors.length === 0;
  };
  return (
    <Screen
      name="review"
      above={above}
      title={review.title(formatRequester(interaction, words))}
      lead={isShared(interaction) ? review.leadShared : review.lead}
    >
      {children}
      <div>
        {SECTIONS.map((Section) => (
          <Section key={Section.name} {...sectionProps} />
        ))}
        <Decision {...sectionProps} {...{ progress, onAllow, onDeny }} onValidate={validate} />
      </div>
    </Screen>
  );
}
