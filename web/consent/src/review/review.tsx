import { useEffect, useState } from 'react';
import type { Interaction } from '../api.ts';
import type { Person } from '../../../patient/account-api.ts';
import { preloadCapture } from '../evidence/capture-element.ts';
import { useAppDeps } from '../app-deps.ts';
import { formatClientName } from '../../../patient/client-name.ts';
import type { Decide } from '../request/use-decide.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useLanguage } from '../words/use-words.ts';
import { type Choices, validateChoices, toDecisionBody } from './choices.ts';
import { Decision } from './decision.tsx';
import { SECTIONS } from './sections.ts';
import { useNow } from './use-now.ts';
import './review.css';

interface ReviewScreenProps {
  interaction: Interaction;
  person: Person;
  choices: Choices;
  updateChoices: (patch: Partial<Choices>) => void;
  decide: Decide;
  /** Whose evidence this screen belongs to. */
  evidenceOwner: string;
}

export function Review(props: ReviewScreenProps) {
  const { interaction, person, choices, updateChoices, decide, evidenceOwner } = props;
  const { evidence } = useAppDeps();
  const { words, language } = useLanguage();
  const { review } = words;
  const [attempt, setAttempt] = useState(0);
  useEffect(preloadCapture, []);
  const now = useNow();
  const allErrors = validateChoices(choices, words, { now, language });
  // Shown after the first attempt, and gone as soon as they are corrected.
  const errors = attempt === 0 ? [] : allErrors;
  const sectionProps = { interaction, person, choices, updateChoices, errors, now };

  const validate = (): boolean => {
    setAttempt(attempt + 1);
    return allErrors.length === 0;
  };
  const allow = async () => {
    await evidence.capture(evidenceOwner, 'review');
    await decide('grant', 'review', {
      ...toDecisionBody(choices),
      studySnapshotId: interaction.project.studySnapshotId,
      language,
      screenshots: await evidence.listScreenshots(evidenceOwner),
    });
  };
  return (
    <Screen
      name="review"
      title={review.title(formatClientName(interaction.client, words))}
      lead={review.lead}
    >
      <div>
        {SECTIONS.map((Section) => (
          <Section key={Section.name} {...sectionProps} />
        ))}
        <Decision
          {...sectionProps}
          attempt={attempt}
          onValidate={validate}
          onAllow={allow}
          onDeny={async () => decide('deny', 'review')}
        />
      </div>
    </Screen>
  );
}
