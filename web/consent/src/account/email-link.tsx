import { useCallback, useState } from 'react';
import { toRefusal } from '../../../kit/http/refusal.ts';
import type { StepNavigation } from '../../../kit/navigation.ts';
import { useQuery } from '../../../kit/query.ts';
import { useTask } from '../../../kit/task.ts';
import { useOnReturn } from '../../../kit/use-on-return.ts';
import { ErrorScreen } from '../../../patient/error-screen.tsx';
import { toFailure, type Failure } from '../../../patient/failure.ts';
import { FailureSummary } from '../../../patient/failure-summary.tsx';
import { Loading } from '../../../patient/loading.tsx';
import type { Step } from '../../../patient/step.ts';
import { useAppDeps } from '../app-deps.ts';
import { EmailCancelled, EmailChanged, EmailLinkGone, EmailTaken } from './email-outcome.tsx';
import { EmailQuestion } from './email-question.tsx';
import { LinkExpired } from './link-expired.tsx';
import { MailedLink } from './mailed-link.tsx';

interface EmailLinkProps {
  token: string | null;
  navigation: StepNavigation<Step>;
}

/**
 * Opened from a mail: the address that the link gives to an account, which it does when whoever is signed in to that account presses
 * its button. The token, which has left the address, is kept while the person signs in, and on their way back from there.
 */
export function EmailLink({ token, navigation }: EmailLinkProps) {
  const [opened, setOpened] = useState(token);
  if (token !== null && token !== opened) setOpened(token);
  if (opened === null) return <LinkExpired reason="reloaded" />;
  return <OpenedLink key={opened} token={opened} navigation={navigation} />;
}

type Outcome =
  | { kind: 'changed' | 'cancelled'; email: string }
  /** The token chooses the password of an account that was taken back. */
  | { kind: 'restored'; token: string };

interface OpenedLinkProps {
  token: string;
  navigation: StepNavigation<Step>;
}

function OpenedLink(props: OpenedLinkProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  switch (outcome?.kind) {
    case 'changed':
      return <EmailChanged email={outcome.email} />;
    case 'cancelled':
      return <EmailCancelled email={outcome.email} />;
    case 'restored':
      return <MailedLink token={outcome.token} isRestoration />;
    case undefined:
      return <PendingLink {...props} onOutcome={setOutcome} />;
  }
}

function PendingLink({
  token,
  navigation,
  onOutcome,
}: OpenedLinkProps & { onOutcome: (outcome: Outcome) => void }) {
  const { api } = useAppDeps();
  const { query, load, refresh } = useQuery(useCallback(() => api.openEmailChange(token), [api, token]));
  // Another tab may have signed somebody in or out.
  useOnReturn(refresh);
  const { busy, refusal, run } = useTask();
  const confirm = async () => {
    const { email, passwordToken } = await api.confirmEmailChange(token);
    onOutcome(
      passwordToken === null ? { kind: 'changed', email } : { kind: 'restored', token: passwordToken },
    );
  };
  /** Shows who is signed in by now, where it is somebody else than this page says. */
  const loadIfOther = async (error: unknown) => {
    if (!isOtherPerson(toFailure(toRefusal(error)))) throw error;
    await load();
  };
  if (query.state === 'loading') return <Loading />;
  const failure = query.state === 'error' ? toFailure(query.refusal) : refusal && toFailure(refusal);
  if (failure && isGone(failure)) return <EmailLinkGone />;
  if (failure?.kind === 'decided') return <EmailTaken />;
  if (query.state !== 'loaded')
    return <ErrorScreen failure={toFailure(query.refusal)} onRetry={() => void load()} />;
  const { data: change } = query;
  const cancel = async () => {
    await api.cancelEmailChange(token);
    onOutcome({ kind: 'cancelled', email: change.email });
  };
  return (
    <EmailQuestion
      change={change}
      navigation={navigation}
      busy={busy}
      onConfirm={() => run(() => confirm().catch(loadIfOther))}
      onCancel={() => run(cancel)}
      onPersonChanged={load}
    >
      <FailureSummary refusal={refusal} />
    </EmailQuestion>
  );
}

const isGone = ({ kind }: Failure): boolean => kind === 'unknown' || kind === 'invalid';
const isOtherPerson = ({ kind }: Failure): boolean => kind === 'signed-out' || kind === 'person-changed';
