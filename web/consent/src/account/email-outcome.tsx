import { Emblem } from '../../../kit/emblem.tsx';
import { Screen } from '../../../patient/screen.tsx';
import { useWords } from '../words/use-words.ts';
import { WayOn } from './link-expired.tsx';

export function EmailChanged({ email }: { email: string }) {
  const { emailLink } = useWords();
  return (
    <Screen
      name="email-changed"
      title={emailLink.changed}
      above={<Emblem icon="check" />}
      lead={emailLink.changedLead(email)}
    >
      <div className="buttons">
        <WayOn />
      </div>
    </Screen>
  );
}

/** Somebody did not ask for the address: they need no account, so nothing leads on. */
export function EmailCancelled({ email }: { email: string }) {
  const { emailLink } = useWords();
  return (
    <Screen
      name="email-change-cancelled"
      title={emailLink.cancelled}
      above={<Emblem icon="check" />}
      lead={emailLink.cancelledLead(email)}
    >
      <p>{emailLink.cancelledNext}</p>
    </Screen>
  );
}

/** The link is used up, has expired, or its change was ended. */
export function EmailLinkGone() {
  const { emailLink, link } = useWords();
  return (
    <Screen
      name="email-link-gone"
      title={link.expiredTitle}
      above={<Emblem icon="clock" />}
      lead={emailLink.gone}
    >
      <div className="buttons">
        <WayOn />
      </div>
    </Screen>
  );
}

export function EmailTaken() {
  const { emailLink } = useWords();
  return (
    <Screen
      name="email-taken"
      title={emailLink.takenTitle}
      above={<Emblem icon="person" />}
      lead={emailLink.taken}
    >
      <div className="buttons">
        <WayOn />
      </div>
    </Screen>
  );
}
