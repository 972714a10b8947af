import { PersonCard } from '../account/person-card.tsx';
import { SignOut } from '../account/sign-out.tsx';
import type { Interaction, Person } from '../api/api.ts';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';

interface NotEligibleProps {
  person: Person;
  interaction: Interaction;
  onSignedOut: () => Promise<void>;
}

/** The way to say no is on the sign-in screen, which comes next. */
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
