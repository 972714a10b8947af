import { PersonCard } from '../../../patient/account/person-card.tsx';
import { SignOut } from '../../../patient/account/sign-out.tsx';
import type { Person } from '../../../patient/account-api.ts';
import { Screen } from '../../../patient/screen.tsx';
import type { Enrollment } from '../api.ts';
import { MyDataLink } from '../my-data-link.tsx';
import { useWords } from '../words/use-words.ts';

interface NotInvitedProps {
  person: Person;
  enrollment: Enrollment;
  onSignedOut: () => Promise<void>;
}

/** Shown to whoever follows somebody else's link, or an old one: a link enrolls nobody. */
export function NotInvited({ person, enrollment: { organization }, onSignedOut }: NotInvitedProps) {
  const { invitation, notEligible } = useWords();
  return (
    <Screen
      name="not-invited"
      title={invitation.notInvitedTitle}
      lead={invitation.notInvited(organization.name)}
    >
      <PersonCard person={person} />
      <div className="buttons">
        <SignOut label={notEligible.switch} onSignedOut={onSignedOut} />
        <MyDataLink />
      </div>
    </Screen>
  );
}
