import { useCallback, useState, type ReactNode } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Emblem } from '../../../kit/emblem.tsx';
import { useQuery } from '../../../kit/query.ts';
import { useTask } from '../../../kit/task.ts';
import { ErrorScreen } from '../../../patient/error-screen.tsx';
import { toFailure, type Failure } from '../../../patient/failure.ts';
import { FailureSummary } from '../../../patient/failure-summary.tsx';
import { Loading } from '../../../patient/loading.tsx';
import { Screen } from '../../../patient/screen.tsx';
import type { EmailChange } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { useWords } from '../words/use-words.ts';
import { LinkExpired, WayOn } from './link-expired.tsx';
import { MailedLink } from './mailed-link.tsx';

/** Opened from a mail: the address that the link gives to an account, which it does when its button is pressed. */
export function EmailLink({ token }: { token: string | null }) {
  return token === null ? <LinkExpired reason="reloaded" /> : <OpenedLink token={token} />;
}

function OpenedLink({ token }: { token: string }) {
  const { api } = useAppDeps();
  const { query, load } = useQuery(useCallback(() => api.openEmailChange(token), [api, token]));
  const [isChanged, setIsChanged] = useState(false);
  const [restoredBy, setRestoredBy] = useState<string | null>(null);
  const { busy, refusal, run } = useTask();
  const confirm = () =>
    run(async () => {
      const { passwordToken } = await api.confirmEmailChange(token);
      if (passwordToken === null) setIsChanged(true);
      else setRestoredBy(passwordToken);
    });
  if (restoredBy !== null) return <MailedLink token={restoredBy} isRestoration />;
  if (query.state === 'loading') return <Loading />;
  if (query.state === 'loaded' && isChanged) return <Changed email={query.data.email} />;
  const failure = query.state === 'error' ? toFailure(query.refusal) : refusal && toFailure(refusal);
  if (failure && isGone(failure)) return <Gone />;
  if (failure?.kind === 'decided') return <Taken />;
  if (query.state !== 'loaded')
    return <ErrorScreen failure={toFailure(query.refusal)} onRetry={() => void load()} />;
  return (
    <Question change={query.data} busy={busy} onConfirm={confirm}>
      <FailureSummary refusal={refusal} />
    </Question>
  );
}

const isGone = ({ kind }: Failure): boolean => kind === 'unknown' || kind === 'invalid';

interface QuestionProps {
  change: EmailChange;
  busy: boolean;
  onConfirm: () => void;
  children: ReactNode;
}

function Question({ change: { email, isRestoration }, busy, onConfirm, children }: QuestionProps) {
  const { emailLink } = useWords();
  return (
    <Screen
      name={isRestoration ? 'restore-email' : 'confirm-email'}
      title={isRestoration ? emailLink.restoreTitle : emailLink.title}
      above={<Emblem icon={isRestoration ? 'key' : 'mail'} />}
      lead={isRestoration ? emailLink.restoreLead(email) : emailLink.lead(email)}
    >
      {isRestoration && <p>{emailLink.restoreNext}</p>}
      {children}
      <div className="buttons">
        <Button variant="strong" busy={busy} onPress={onConfirm}>
          {isRestoration ? emailLink.restore : emailLink.confirm}
        </Button>
      </div>
    </Screen>
  );
}

function Changed({ email }: Pick<EmailChange, 'email'>) {
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

function Gone() {
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

function Taken() {
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
