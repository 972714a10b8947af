import { Emblem } from '../../../kit/emblem.tsx';
import type { Step } from '../../../patient/step.ts';
import { Screen } from '../../../patient/screen.tsx';
import { SignInButtons } from '../account/sign-in-buttons.tsx';
import type { Enrollment } from '../api.ts';
import { ContactLines } from '../review/contact-lines.tsx';
import { useWords } from '../words/use-words.ts';

interface InvitationProps {
  organization: Enrollment['organization'];
  go: (step: Step) => void;
}

/**
 * Opened from a mail: it names the organization, which the service knows, and no project before the person signs in. It says
 * who can take part before anybody makes an account, in the same words to everybody.
 */
export function Invitation({ organization, go }: InvitationProps) {
  const { invitation } = useWords();
  return (
    <Screen
      name="invitation"
      title={invitation.title(organization.name)}
      above={<Emblem icon="mail" />}
      lead={invitation.lead(organization.name)}
    >
      <p>{invitation.onlyInvited(organization.name)}</p>
      <SignInButtons go={go} />
      {organization.contact && (
        <div>
          <p className="soft">{invitation.questions}</p>
          <ContactLines contact={organization.contact} />
        </div>
      )}
    </Screen>
  );
}
