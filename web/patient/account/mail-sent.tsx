import { Emblem } from '../../kit/emblem.tsx';
import { useEffect, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useAccountApi } from '../account-api.ts';
import { Screen } from '../screen.tsx';
import type { LinkScreen, Step } from '../step.ts';
import { FailureSummary } from '../failure-summary.tsx';
import { useTask } from '../../kit/task.ts';
import type { StepNavigation } from '../../kit/navigation.ts';
import { useLanguage, useWords } from '../words/use-words.ts';
import { requestLink, type ContinuedLink } from './request-link.ts';

interface MailSentProps {
  email: string;
  to: LinkScreen;
  continued: ContinuedLink;
  /** What follows upon the link, where this window does not simply go on. */
  lastStep?: string;
  navigation: StepNavigation<Step>;
  onSignedIn: () => Promise<void>;
}

const POLL_MS = 3000;

/**
 * Shows the same text whether or not a mail was sent. It continues by itself when another tab of this browser signs in; whoever
 * followed the link on another device signs in here with the password that was chosen there.
 */
export function MailSent({ email, to, continued, lastStep, navigation, onSignedIn }: MailSentProps) {
  const { mailSent } = useWords();
  const steps = lastStep === undefined ? mailSent.steps : [...mailSent.steps.slice(0, -1), lastStep];
  useSignedInElsewhere(onSignedIn);
  return (
    <Screen
      name="mail-sent"
      title={mailSent.title}
      above={<Emblem icon="mail" />}
      lead={mailSent.sentTo(email)}
    >
      <ol className="steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="waiting" role="status">
        <Icon name="running" />
        {mailSent.waiting}
      </p>
      <div className="stack">
        <p className="soft">{mailSent.elsewhere}</p>
        <div>
          <Button onPress={() => navigation.go({ at: 'sign-in', email })}>{mailSent.done}</Button>
        </div>
      </div>
      <div>
        <p className="soft">{mailSent.nothing}</p>
        <SendAgain email={email} to={to} continued={continued} />
        <Button variant="quiet" onPress={navigation.back}>
          {mailSent.another}
        </Button>
      </div>
    </Screen>
  );
}

function SendAgain({ email, to, continued }: Pick<MailSentProps, 'email' | 'to' | 'continued'>) {
  const api = useAccountApi();
  const { language, words } = useLanguage();
  const { busy, refusal, run } = useTask();
  const [times, setTimes] = useState(0);
  const send = () =>
    run(async () => {
      await requestLink(api, to, { email, language, ...continued });
      setTimes(times + 1);
    });
  return (
    <>
      <FailureSummary refusal={refusal} />
      <Button variant="quiet" busy={busy} onPress={send}>
        {words.mailSent.again}
      </Button>
      <p role="status" className="soft small">
        {times > 0 && !busy && words.mailSent.sentAgain}
      </p>
    </>
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
