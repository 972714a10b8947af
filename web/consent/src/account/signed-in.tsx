import { Emblem } from '../../../kit/emblem.tsx';
import { MyDataLink } from '../my-data-link.tsx';
import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';

/** Shown after a mailed link when this browser has no request to continue. */
export function SignedIn() {
  const { signedIn } = useWords();
  return (
    <Screen name="signed-in" title={signedIn.title} above={<Emblem icon="check" />} lead={signedIn.text}>
      <p>{signedIn.elsewhere}</p>
      <MyDataLink />
    </Screen>
  );
}

/** Shown when an account was taken back and has its new password: what somebody else did in it comes next. */
export function AccountRestored() {
  const { accountRestored } = useWords();
  return (
    <Screen
      name="account-restored"
      title={accountRestored.title}
      above={<Emblem icon="check" />}
      lead={accountRestored.lead}
    >
      <div className="buttons">
        <a className="button button-strong" href="#/my-data">
          {accountRestored.link}
        </a>
      </div>
    </Screen>
  );
}
