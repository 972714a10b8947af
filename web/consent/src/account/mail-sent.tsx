import { Emblem } from '../../../look/emblem.tsx';
import { useEffect } from 'react';
import { Button } from '../../../look/button.tsx';
import { Icon } from '../../../look/icon.tsx';
import { usePage } from '../page.ts';
import { Screen } from '../screen.tsx';
import { useWords } from '../words/language.tsx';

interface MailSentProps {
  email: string;
  back: () => void;
  onSignedIn: () => Promise<void>;
}

const EVERY_MS = 3000;

/** The same text whether or not a mail went out. Goes on by itself when another tab of this browser signed in. */
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
        <Button look="quiet" onPress={back}>
          {mailSent.another}
        </Button>
      </div>
    </Screen>
  );
}

function useSignedInElsewhere(onSignedIn: () => Promise<void>): void {
  const { api } = usePage();
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return;
      // A look that fails is followed by the next one.
      const session = await api.session().catch(() => null);
      if (session?.person) await onSignedIn();
    };
    const timer = setInterval(() => void look(), EVERY_MS);
    const onVisible = () => void look();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [api, onSignedIn]);
}
