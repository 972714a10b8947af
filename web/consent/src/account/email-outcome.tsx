import { Emblem } from '../../../kit/emblem.tsx';
import type { EmailChange } from '../api.ts';
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

/**
 * Somebody did not ask for the address: they need no account, so nothing leads on, unless they are signed in to the one that was
 * to get it, whose password somebody knows then.
 */
export function EmailCancelled({ change: { email, isOwnAccount } }: { change: EmailChange }) {
  const { emailLink } = useWords();
  return (
    <Screen
      name="email-change-cancelled"
      title={emailLink.cancelled}
      above={<Emblem icon="check" />}
      lead={emailLink.cancelledLead(email)}
    >
      <p>{isOwnAccount ? emailLink.cancelledOwn : emailLink.cancelledNext}</p>
      {isOwnAccount && (
        <div className="buttons">
          <WayOn />
        </div>
      )}
    </Screen>
  );
}

/** Somebody did not ask for the address, and the link was dead when they said so. */
export function EmailNotCancelled({ email }: { email: string }) {
  const { emailLink, link } = useWords();
  return (
    <Screen
      name="email-change-not-cancelled"
      title={link.expiredTitle}
      above={<Emblem icon="clock" />}
      lead={emailLink.notCancelled}
    >
      <p>{emailLink.notCancelledNext(email)}</p>
    </Screen>
  );
}

/** The token was lost when the page was loaded again: this tab did not keep it, or has used it. */
export function EmailLinkReloaded() {
  const { emailLink, link } = useWords();
  return (
    <Screen
      name="email-link-reloaded"
      title={link.reopenTitle}
      above={<Emblem icon="mail" />}
      lead={emailLink.reopen}
    >
      <div className="buttons">
        <WayOn />
      </div>
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
