import { PersonCard } from '../../patient/account/person-card.tsx';
import { SignOut } from '../../patient/account/sign-out.tsx';
import { Section } from '../../patient/section.tsx';
import { useWords } from './words/use-words.ts';
import { type PersonProps, useSignedOut } from './person-query.ts';

export function Account(props: PersonProps) {
  const { person } = props;
  const { myData } = useWords();
  const goOn = useSignedOut(props);
  return (
    <Section icon="person" title={myData.account}>
      <PersonCard person={person} />
      {!person.isTestPatient && <p className="soft small">{myData.otherAddress}</p>}
      <div>
        <SignOut onSignedOut={goOn} />
      </div>
    </Section>
  );
}
