import { Emblem } from '../../../kit/emblem.tsx';
import type { Person } from '../../../patient/account-api.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';
import { SignOut } from '../../../patient/account/sign-out.tsx';

/** Shown when a person has followed an invitation and is signed in. */
export function NextSteps({ person, onSignedOut }: { person: Person; onSignedOut: () => Promise<void> }) {
  const { invitation, start } = useWords();
  return (
    <Screen
      name="invitation-next"
      title={invitation.nextTitle}
      above={<Emblem icon="check" />}
      lead={invitation.nextLead}
    >
      <ol className="steps">
        {invitation.next.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <hr className="rule" />
      <p className="soft">{start.signedInAs(`${person.firstName} ${person.lastName}`, person.email)}</p>
      <SignOut onSignedOut={onSignedOut} />
    </Screen>
  );
}
