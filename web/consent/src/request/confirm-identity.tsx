import { useEffect } from 'react';
import { Button } from '../../../kit/button.tsx';
import { PersonCard } from '../../../patient/account/person-card.tsx';
import { SignOut } from '../../../patient/account/sign-out.tsx';
import type { Step } from '../../../patient/step.ts';
import type { Person } from '../../../patient/account-api.ts';
import { preloadCapture } from '../evidence/capture-element.ts';
import { useAppDeps } from '../app-deps.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useTask } from '../../../kit/task.ts';
import { useWords } from '../words/use-words.ts';

interface ConfirmIdentityProps {
  person: Person;
  /** Whose evidence this screen belongs to. */
  evidenceOwner: string;
  go: (step: Step) => void;
  onSignedOut: () => Promise<void>;
}

/** Asks whether the signed-in person is the one at the screen, since browsers are shared. */
export function ConfirmIdentity({ person, evidenceOwner, go, onSignedOut }: ConfirmIdentityProps) {
  const { interactionLog, evidence } = useAppDeps();
  const { confirmIdentity } = useWords();
  const { busy, run } = useTask();
  useEffect(preloadCapture, []);
  const confirm = async () => {
    interactionLog.add('who-is-this', 'confirm');
    // A denial needs no screenshot, so a failed one must not block the next screen; a consent is checked there.
    await evidence
      .capture(evidenceOwner, 'who-is-this')
      .catch(() => interactionLog.add('who-is-this', 'no-picture'));
    go({ at: 'confirmed', email: person.email });
  };
  return (
    <Screen name="who-is-this" title={confirmIdentity.title} lead={confirmIdentity.lead}>
      <PersonCard person={person} />
      <div className="buttons">
        <Button variant="strong" busy={busy} onPress={() => run(confirm)}>
          {confirmIdentity.yes}
        </Button>
        <SignOut label={confirmIdentity.no} onSignedOut={onSignedOut} />
      </div>
    </Screen>
  );
}
