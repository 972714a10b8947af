import { PersonCard } from '../account/person-card.tsx';
import { SignOut } from '../account/sign-out.tsx';
import { Section } from '../section.tsx';
import { useWords } from '../words/language.tsx';
import type { PersonProps } from './use-query.ts';

export function Account({ person, reload }: PersonProps) {
  const { myData } = useWords();
  return (
    <Section icon="person" title={myData.account}>
      <PersonCard person={person} />
      <div>
        <SignOut onSignedOut={reload} />
      </div>
    </Section>
  );
}
