import { useEffect } from 'react';
import { Button } from '../../../look/button.tsx';
import { PersonCard } from '../account/person-card.tsx';
import { SignOut } from '../account/sign-out.tsx';
import type { Step } from '../step.ts';
import type { Person } from '../api/api.ts';
import { bringCamera } from '../evidence/picture.ts';
import { usePage } from '../page.ts';
import { Screen } from '../screen.tsx';
import { useTask } from '../task.ts';
import { useWords } from '../words/language.tsx';

interface WhoIsThisProps {
  person: Person;
  /** Whose evidence this screen belongs to. */
  evidenceOf: string;
  go: (step: Step) => void;
  onSignedOut: () => Promise<void>;
}

/** A browser may be shared, and what follows is about one person's record. */
export function WhoIsThis({ person, evidenceOf, go, onSignedOut }: WhoIsThisProps) {
  const { journal, evidence } = usePage();
  const { whoIsThis } = useWords();
  const { busy, run } = useTask();
  useEffect(bringCamera, []);
  const confirm = async () => {
    journal.note('who-is-this', 'confirm');
    // A no on the next screen needs no picture, so that a missing one must not stand in its way; a yes is checked there.
    await evidence.take(evidenceOf, 'who-is-this').catch(() => journal.note('who-is-this', 'no-picture'));
    go({ at: 'confirmed', email: person.email });
  };
  return (
    <Screen name="who-is-this" title={whoIsThis.title} lead={whoIsThis.lead}>
      <PersonCard person={person} />
      <div className="buttons">
        <Button look="strong" busy={busy} onPress={() => run(confirm)}>
          {whoIsThis.yes}
        </Button>
        <SignOut label={whoIsThis.no} onSignedOut={onSignedOut} />
      </div>
    </Screen>
  );
}
