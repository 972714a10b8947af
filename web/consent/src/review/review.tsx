import { type ReactNode, useEffect } from 'react';
import type { Person } from '../../../patient/account-api.ts';
import { preloadCapture } from '../evidence/capture-element.ts';
import type { Draft } from '../draft/use-draft.ts';
import { Notice } from '../../../kit/notice.tsx';
import type { Decide } from '../request/use-decide.ts';
import { useWords } from '../words/use-words.ts';
import { ReviewForm } from './review-form.tsx';
import type { ReviewSubject } from './review-subject.ts';
import { useDecisionSteps } from './use-decision-steps.ts';

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

/** The review as it decides: with the evidence of what was shown, and the way of the answer to the service. */
export function Review({ hasChanged = false, ...props }: ReviewScreenProps & { hasChanged?: boolean }) {
  const { interaction, person, draft, above } = props;
  const { review } = useWords();
  useEffect(preloadCapture, []);
  const { allow, deny, progress } = useDecisionSteps(props);
  return (
    <ReviewForm
      {...{ interaction, person, above, progress }}
      choices={draft.choices}
      updateChoices={draft.updateChoices}
      onAllow={allow}
      onDeny={deny}
    >
      {hasChanged && <Notice kind="warning">{review.short.changed}</Notice>}
      {draft.isLost && <Notice kind="warning">{review.choicesLost}</Notice>}
    </ReviewForm>
  );
}
