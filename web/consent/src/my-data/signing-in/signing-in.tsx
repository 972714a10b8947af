import { useRef, useState } from 'react';
import { Notice } from '../../../../kit/notice.tsx';
import { isWebAuthnSupported } from '../../account/passkey.ts';
import { PersonCard } from '../../account/person-card.tsx';
import { SignOut } from '../../account/sign-out.tsx';
import type { Passkeys } from '../../api/api.ts';
import { useAppDeps } from '../../app-deps.ts';
import { Screen } from '../../screen.tsx';
import { Loading } from '../../screens/loading.tsx';
import { useWords } from '../../words/language.tsx';
import { BackToMyData } from '../back-to-my-data.tsx';
import { StatusMessage } from '../status-message.tsx';
import { SectionError } from '../section-error.tsx';
import { useGuardedAction, useQuery, type PersonProps } from '../use-query.ts';
import { AddPasskey } from './add-passkey.tsx';
import { PasskeyList } from './passkey-list.tsx';
import './signing-in.css';

/** The ways to sign in, and the way out. */
export function SigningIn(personProps: PersonProps) {
  const { parts, passkeys } = useWords().myData;
  return (
    <Screen
      name="my-data-signing-in"
      title={parts['signing-in'].title}
      above={<BackToMyData />}
      lead={passkeys.lead}
    >
      <YourPasskeys {...personProps} />
      <section className="aside">
        <h2>{passkeys.withPassword}</h2>
        <p>{passkeys.passwordText}</p>
        <PersonCard person={personProps.person} />
        <div>
          <SignOut onSignedOut={personProps.reload} />
        </div>
      </section>
    </Screen>
  );
}

interface Outcome {
  kind: 'added' | 'removed';
  name: string;
}

function YourPasskeys(personProps: PersonProps) {
  const { api } = useAppDeps();
  const { passkeys } = useWords().myData;
  const { asked: query, load } = useQuery(api.listPasskeys, personProps);
  const runGuarded = useGuardedAction(personProps);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const finish = async (result: Outcome) => {
    setOutcome(result);
    heading.current?.focus();
    await load();
  };
  return (
    <section className="stack">
      <h2 ref={heading} tabIndex={-1}>
        {passkeys.yours}
      </h2>
      <div>
        <StatusMessage text={outcome && passkeys[outcome.kind](outcome.name)} />
        {query.state === 'loading' && <Loading />}
        {query.state === 'troubled' && <SectionError failure={query.failure} onRetry={() => void load()} />}
        {query.state === 'known' && (
          <div className="stack">
            <PasskeyList
              list={query.data.passkeys}
              remove={async ({ id, name }) => {
                if (await runGuarded(() => api.removePasskey({ id })))
                  await finish({ kind: 'removed', name });
              }}
            />
            <AddSection
              personProps={personProps}
              known={query.data}
              onAdded={(name) => finish({ kind: 'added', name })}
            />
          </div>
        )}
      </div>
    </section>
  );
}

interface AddSectionProps {
  personProps: PersonProps;
  known: Passkeys;
  onAdded: (name: string) => Promise<void>;
}

/** The way to another one, or why there is none. */
function AddSection({ personProps, known, onAdded }: AddSectionProps) {
  const { passkeys } = useWords().myData;
  if (personProps.person.isTestPatient) return <Notice>{passkeys.testPatient}</Notice>;
  if (!known.possible) return <Notice>{passkeys.notAvailable}</Notice>;
  if (!isWebAuthnSupported()) return <Notice>{passkeys.unsupportedBrowser}</Notice>;
  return <AddPasskey personProps={personProps} onAdded={onAdded} />;
}
