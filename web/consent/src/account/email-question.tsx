import type { ReactNode } from 'react';
import { formatFullName } from '../../../../contract/account/person-name.ts';
import { Button } from '../../../kit/button.tsx';
import { Emblem } from '../../../kit/emblem.tsx';
import type { StepNavigation } from '../../../kit/navigation.ts';
import { PersonCard } from '../../../patient/account/person-card.tsx';
import { SignInFlow } from '../../../patient/account/sign-in-flow.tsx';
import { SignOut } from '../../../patient/account/sign-out.tsx';
import type { Person } from '../../../patient/account-api.ts';
import { Screen } from '../../../patient/screen.tsx';
import type { Step } from '../../../patient/step.ts';
import type { EmailChange } from '../api.ts';
import { useWords } from '../words/use-words.ts';

interface EmailQuestionProps {
  change: EmailChange;
  navigation: StepNavigation<Step>;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  /** Called when somebody has signed in or out. */
  onPersonChanged: () => Promise<void>;
  /** Why the last attempt failed. */
  children: ReactNode;
}

/** Asks whoever is signed in to the account, and first has them sign in to it: a click alone gives nobody's address away. */
export function EmailQuestion(props: EmailQuestionProps) {
  const { change, navigation, onPersonChanged } = props;
  const { emailLink } = useWords();
  if (change.isRestoration) return <Restore {...props} />;
  if (change.person !== null && change.isOwnAccount) return <Confirm {...props} person={change.person} />;
  if (change.person !== null) return <OtherAccount {...props} person={change.person} />;
  if (navigation.step === null) return <SignInFirst {...props} />;
  return (
    <SignInFlow
      navigation={navigation}
      lead={emailLink.signInLead(change.email)}
      toOwnAccount={{ forgotten: emailLink.forgotten, afterReset: emailLink.afterReset }}
      onSignedIn={onPersonChanged}
    />
  );
}

function Restore({ change: { email }, busy, onConfirm, children }: EmailQuestionProps) {
  const { emailLink } = useWords();
  return (
    <Screen
      name="restore-email"
      title={emailLink.restoreTitle}
      above={<Emblem icon="key" />}
      lead={emailLink.restoreLead(email)}
    >
      <p>{emailLink.restoreNext}</p>
      {children}
      <div className="buttons">
        <Button variant="strong" busy={busy} onPress={onConfirm}>
          {emailLink.restore}
        </Button>
      </div>
    </Screen>
  );
}

type PersonQuestionProps = EmailQuestionProps & { person: Person };

function Confirm({ change: { email }, person, busy, onConfirm, onCancel, children }: PersonQuestionProps) {
  const { emailLink } = useWords();
  return (
    <Screen
      name="confirm-email"
      title={emailLink.title}
      above={<Emblem icon="mail" />}
      lead={emailLink.lead(email)}
    >
      <p>{emailLink.account}</p>
      <PersonCard person={person} />
      {children}
      <div className="buttons">
        <Button variant="strong" busy={busy} onPress={onConfirm}>
          {emailLink.confirm}
        </Button>
        <Button busy={busy} onPress={onCancel}>
          {emailLink.cancel}
        </Button>
      </div>
    </Screen>
  );
}

function SignInFirst({ change: { email }, navigation, busy, onCancel, children }: EmailQuestionProps) {
  const { emailLink } = useWords();
  return (
    <Screen
      name="confirm-email-sign-in"
      title={emailLink.askedTitle}
      above={<Emblem icon="mail" />}
      lead={emailLink.askedLead(email)}
    >
      <p>{emailLink.askedByOther}</p>
      {children}
      <div className="buttons">
        <Button variant="strong" onPress={() => navigation.go({ at: 'sign-in' })}>
          {emailLink.signIn}
        </Button>
        <Button busy={busy} onPress={onCancel}>
          {emailLink.cancel}
        </Button>
      </div>
    </Screen>
  );
}

function OtherAccount(props: PersonQuestionProps) {
  const { change, person, busy, onCancel, onPersonChanged, children } = props;
  const { emailLink } = useWords();
  return (
    <Screen
      name="confirm-email-other"
      title={emailLink.otherTitle}
      above={<Emblem icon="person" />}
      lead={emailLink.otherLead(formatFullName(person), person.email)}
    >
      <p>
        {person.email === change.email
          ? emailLink.otherHasAddress(change.email)
          : emailLink.otherNext(change.email)}
      </p>
      {children}
      <div className="buttons">
        <SignOut label={emailLink.otherSignIn} onSignedOut={onPersonChanged} />
        <Button busy={busy} onPress={onCancel}>
          {emailLink.cancel}
        </Button>
      </div>
    </Screen>
  );
}
