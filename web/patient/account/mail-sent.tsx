import { Emblem } from '../../kit/emblem.tsx';
import { useEffect } from 'react';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useAccountApi } from '../account-api.ts';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/use-words.ts';

interface MailSentProps {
  email: string;
  back: () => void;
  onSignedIn: () => Promise<void>;
}

const POLL_MS = 3000;

/**
 * Shows the same text whether or not a mail was sent. It continues by itself when another tab of this browser signs in.
 */
export function MailSent({ email, back, onSignedIn }: MailSentProps) {
  const { mailSent } = useWords();
  useSignedInElsewhere(onSignedIn);
  return (
    <Screen
      name="mail-sent"
      title={mailSent.title}
      above={<Emblem icon="mail" />}
      lead={mailSent.sentTo(email)}
    >
      <ol className="steps">
        {mailSent.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="waiting" role="status">
        <Icon name="running" />
        {mailSent.waiting}
      </p>
      <div>
        <p className="soft">{mailSent.nothing}</p>
        <Button variant="quiet" onPress={back}>
          {mailSent.another}
        </Button>
      </div>
    </Screen>
  );
}

function useSignedInElsewhere(onSignedIn: () => Promise<void>): void {
  const api = useAccountApi();
  useEffect(() => {
    const poll = async () => {
      if (document.hidden) return;
      // A failed poll is followed by the next one.
      const session = await api.getSession().catch(() => null);
      if (session?.person) await onSignedIn();
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    const onVisible = () => void poll();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [api, onSignedIn]);
}
