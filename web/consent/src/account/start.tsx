import { formatFullName } from '../../../../contract/account/person-name.ts';
import type { Step } from '../../../patient/step.ts';
import type { Person } from '../../../patient/account-api.ts';
import { MyDataLink } from '../my-data-link.tsx';
import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';
import { SignOut } from '../../../patient/account/sign-out.tsx';
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
      <p>{start.signedInAs(formatFullName(person), person.email)}</p>
      <p>{start.waiting}</p>
      <div className="buttons">
        <MyDataLink />
        <SignOut onSignedOut={onSignedOut} />
      </div>
    </Screen>
  );
}
