import { type ReactNode, useEffect, useState } from 'react';
import type { Person } from '../../../patient/account-api.ts';
import { preloadCapture } from '../evidence/capture-element.ts';
import { useAppDeps } from '../app-deps.ts';
import type { Decide } from '../request/use-decide.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useLanguage } from '../words/use-words.ts';
import { type Choices, validateChoices, toDecisionBody } from './choices.ts';
import { Decision } from './decision.tsx';
import { formatRequester, type ReviewSubject } from './review-subject.ts';
import { SECTIONS } from './sections.ts';
import { useNow } from './use-now.ts';
import './review.css';

interface ReviewScreenProps {
  interaction: ReviewSubject;
  /** Which of several decisions this is. */
  above?: ReactNode;
  person: Person;
  choices: Choices;
  updateChoices: (patch: Partial<Choices>) => void;
  decide: Decide;
  /** Whose evidence this screen belongs to. */
  evidenceOwner: string;
}

export function Review(props: ReviewScreenProps) {
  const { interaction, person, choices, updateChoices, decide, evidenceOwner } = props;
  const { evidence, interactionLog } = useAppDeps();
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
      // An organization's consent names the decision that it replaces, whatever that was.
      ...(interaction.client !== null && { replaces: getConsentInForce(interaction) }),
      language,
      screenshots: await evidence.listScreenshots(evidenceOwner),
    });
  };
  /** A no to an organization is a record with its screen, as a yes is; it needs no picture. */
  const deny = async () => {
    if (interaction.client !== null) return decide('deny', 'review');
    await evidence.capture(evidenceOwner, 'review').catch(() => interactionLog.add('review', 'no-picture'));
    await decide('deny', 'review', {
      studySnapshotId: interaction.project.studySnapshotId,
      language,
      screenshots: await evidence.listScreenshots(evidenceOwner),
    });
  };
  return (
    <Screen
      name="review"
      above={props.above}
      title={review.title(formatRequester(interaction, words))}
      lead={review.lead}
    >
      <div>
        {SECTIONS.map((Section) => (
          <Section key={Section.name} {...sectionProps} />
        ))}
        <Decision {...sectionProps} attempt={attempt} onValidate={validate} onAllow={allow} onDeny={deny} />
      </div>
    </Screen>
  );
}

const getConsentInForce = ({ previous }: ReviewSubject): string | null =>
  previous?.inForce === true ? previous.consentRecordId : null;
