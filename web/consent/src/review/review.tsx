import { useEffect, useState } from 'react';
import type { Interaction, Person } from '../api/api.ts';
import { bringCamera } from '../evidence/picture.ts';
import { usePage } from '../page.ts';
import { clientName } from '../request/client-name.ts';
import type { Decide } from '../request/decide.ts';
import { Screen } from '../screen.tsx';
import { useLanguage } from '../words/language.tsx';
import { type Choices, faultsIn, given } from './choices.ts';
import { Decision } from './decision.tsx';
import { SECTIONS } from './sections.ts';
import { useNow } from './use-now.ts';
import './review.css';

interface ReviewProps {
  interaction: Interaction;
  person: Person;
  choices: Choices;
  choose: (some: Partial<Choices>) => void;
  decide: Decide;
  /** Whose evidence this screen belongs to. */
  evidenceOf: string;
}

export function Review({ interaction, person, choices, choose, decide, evidenceOf }: ReviewProps) {
  const { evidence } = usePage();
  const { words, language } = useLanguage();
  const { review } = words;
  const [attempt, setAttempt] = useState(0);
  useEffect(bringCamera, []);
  const now = useNow();
  const missing = faultsIn(choices, words, { now, language });
  // Said after the first try, and gone as soon as they are mended.
  const faults = attempt === 0 ? [] : missing;
  const about = { interaction, person, choices, choose, faults, now };

  const tryToAllow = (): boolean => {
    setAttempt(attempt + 1);
    return missing.length === 0;
  };
  const allow = async () => {
    await evidence.take(evidenceOf, 'review');
    await decide('grant', 'review', {
      ...given(choices),
      studySnapshotId: interaction.project.studySnapshotId,
      language,
      screenshots: await evidence.taken(evidenceOf),
    });
  };
  return (
    <Screen name="review" title={review.title(clientName(interaction.client, words))} lead={review.lead}>
      <div>
        {SECTIONS.map((Section) => (
          <Section key={Section.name} {...about} />
        ))}
        <Decision
          {...about}
          attempt={attempt}
          onTry={tryToAllow}
          onAllow={allow}
          onDeny={async () => decide('deny', 'review')}
        />
      </div>
    </Screen>
  );
}
