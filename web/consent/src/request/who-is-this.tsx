import { Button } from '../../../look/button.tsx';
import { PersonCard } from '../account/person-card.tsx';
import { SignOut } from '../account/sign-out.tsx';
import type { Step } from '../step.ts';
import type { Person } from '../api/api.ts';
import { usePage } from '../page.ts';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';

interface WhoIsThisProps {
  person: Person;
  go: (step: Step) => void;
  onSignedOut: () => Promise<void>;
}

/** A browser may be shared, and what follows is about one person's record. */
export function WhoIsThis({ person, go, onSignedOut }: WhoIsThisProps) {
  const { journal } = usePage();
  const { whoIsThis } = useWords();
  const confirm = () => {
    journal.note('who-is-this', 'confirm');
    go({ at: 'confirmed', email: person.email });
  };
  return (
    <Screen name="who-is-this" title={whoIsThis.title} lead={whoIsThis.lead}>
      <PersonCard person={person} />
      <div className="buttons">
        <Button look="strong" onPress={confirm}>
          {whoIsThis.yes}
        </Button>
        <SignOut label={whoIsThis.no} onSignedOut={onSignedOut} />
      </div>
    </Screen>
  );
}
