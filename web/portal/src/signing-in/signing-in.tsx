import { useRef, useState } from 'react';
import { Notice } from '../../../kit/notice.tsx';
import { isWebAuthnSupported } from '../../../kit/passkey.ts';
import { PersonCard } from '../../../patient/account/person-card.tsx';
import { SignOut } from '../../../patient/account/sign-out.tsx';
import { useAppDeps } from '../app-deps.ts';
import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';
import { BackToMyData } from '../back-to-my-data.tsx';
import { StatusMessage } from '../status-message.tsx';
import { Loaded } from '../loaded.tsx';
import {
  endOnce,
  useGuardedAction,
  usePersonQuery,
  useSignedOut,
  type PersonProps,
} from '../person-query.ts';
import { AddPasskey } from './add-passkey.tsx';
import { ChangeEmail } from './change-email.tsx';
import { ChangePassword } from './change-password.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { SessionList } from './session-list.tsx';
import './signing-in.css';

/** The ways to sign in, and signing out. */
export function SigningIn(personProps: PersonProps) {
  const { parts, passkeys } = useWords().myData;
  const goOn = useSignedOut(personProps);
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
        {!personProps.person.isTestPatient && (
          <>
            <ChangePassword {...personProps} />
            <ChangeEmail {...personProps} />
          </>
        )}
        <div>
          <SignOut onSignedOut={goOn} />
        </div>
      </section>
      <SessionList {...personProps} />
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
  const passkeysQuery = usePersonQuery(api.listPasskeys, personProps);
  const runGuarded = useGuardedAction(personProps);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const finish = async (result: Outcome) => {
    setOutcome(result);
    heading.current?.focus();
    // A passkey that is removed signs out the other browsers, which stand below.
    await (result.kind === 'removed' ? personProps.reload() : passkeysQuery.load());
  };
  return (
    <section className="stack">
      <h2 ref={heading} tabIndex={-1}>
        {passkeys.yours}
      </h2>
      <div>
        <StatusMessage text={outcome && passkeys[outcome.kind](outcome.name)} />
        <Loaded of={passkeysQuery}>
          {(loaded) => (
            <div className="stack">
              <PasskeyList
                list={loaded.passkeys}
                remove={async ({ id, name }) => {
                  if (await runGuarded(endOnce(() => api.removePasskey({ id }))))
                    await finish({ kind: 'removed', name });
                }}
              />
              <AddSection
                personProps={personProps}
                isPossible={loaded.possible}
                onAdded={(name) => finish({ kind: 'added', name })}
              />
            </div>
          )}
        </Loaded>
      </div>
    </section>
  );
}

interface AddSectionProps {
  personProps: PersonProps;
  /** The address of the service allows passkeys. */
  isPossible: boolean;
  onAdded: (name: string) => Promise<void>;
}

/** The way to another passkey, or why there is none. */
function AddSection({ personProps, isPossible, onAdded }: AddSectionProps) {
  const { passkeys } = useWords().myData;
  if (personProps.person.isTestPatient) return <Notice>{passkeys.testPatient}</Notice>;
  if (!isPossible) return <Notice>{passkeys.notAvailable}</Notice>;
  if (!isWebAuthnSupported()) return <Notice>{passkeys.unsupportedBrowser}</Notice>;
  return <AddPasskey personProps={personProps} onAdded={onAdded} />;
}
