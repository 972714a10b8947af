import { PersonCard } from '../../../patient/account/person-card.tsx';
import { SignOut } from '../../../patient/account/sign-out.tsx';
import type { Interaction } from '../api.ts';
import type { Person } from '../../../patient/account-api.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';

interface NotEligibleProps {
  person: Person;
  interaction: Interaction;
  onSignedOut: () => Promise<void>;
}

/** Shown to a test patient of another organization. The way to deny is on the sign-in screen, which comes next. */
export function NotEligible({ person, interaction, onSignedOut }: NotEligibleProps) {
  const { notEligible } = useWords();
  return (
    <Screen
      name="not-eligible"
      title={notEligible.title}
      lead={notEligible.text(interaction.organization.name)}
    >
      <PersonCard person={person} />
      <SignOut label={notEligible.switch} onSignedOut={onSignedOut} />
    </Screen>
  );
}
