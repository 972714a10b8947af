import type { Step } from '../step.ts';
import type { Person } from '../api/api.ts';
import { MyDataLink } from '../my-data/my-data-link.tsx';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';
import { SignOut } from './sign-out.tsx';
import { SignInButtons } from './sign-in-buttons.tsx';

export function Start({ go }: { go: (step: Step) => void }) {
  const { start } = useWords();
  return (
    <Screen name="start" title={start.title} lead={start.lead}>
      <SignInButtons go={go} />
    </Screen>
  );
}

export function SignedInStart({ person, onSignedOut }: { person: Person; onSignedOut: () => Promise<void> }) {
  const { start } = useWords();
  return (
    <Screen name="start-signed-in" title={start.title} lead={start.lead}>
      <p>{start.signedInAs(`${person.firstName} ${person.lastName}`, person.email)}</p>
      <p>{start.waiting}</p>
      <div className="buttons">
        <MyDataLink />
        <SignOut onSignedOut={onSignedOut} />
      </div>
    </Screen>
  );
}
