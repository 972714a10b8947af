import { useCallback, useEffect, useState } from 'react';
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
import type { EmailChange } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import {
  EmailCancelled,
  EmailChanged,
  EmailLinkGone,
  EmailLinkReloaded,
  EmailNotCancelled,
  EmailTaken,
} from './email-outcome.tsx';
import { EmailQuestion } from './email-question.tsx';
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
  const { keptEmailLink } = useAppDeps();
  const [opened, setOpened] = useState(() => token ?? keptEmailLink.read());
  if (token !== null && token !== opened) setOpened(token);
  if (opened === null) return <EmailLinkReloaded />;
  return <OpenedLink key={opened} token={opened} navigation={navigation} />;
}

type Outcome =
  | { kind: 'changed' | 'not-cancelled'; email: string }
  | { kind: 'cancelled'; change: EmailChange }
  /** The token chooses the password of an account that was taken back. */
  | { kind: 'restored'; token: string };

interface OpenedLinkProps {
  token: string;
  navigation: StepNavigation<Step>;
}

function OpenedLink(props: OpenedLinkProps) {
  const { keptEmailLink } = useAppDeps();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const finish = (reached: Outcome) => {
    keptEmailLink.forget(props.token);
    setOutcome(reached);
  };
  switch (outcome?.kind) {
    case 'changed':
      return <EmailChanged email={outcome.email} />;
    case 'cancelled':
      return <EmailCancelled change={outcome.change} />;
    case 'not-cancelled':
      return <EmailNotCancelled email={outcome.email} />;
    case 'restored':
      return <MailedLink token={outcome.token} isRestoration />;
    case undefined:
      return <PendingLink {...props} onOutcome={finish} />;
  }
}

type Finish = (outcome: Outcome) => void;

function PendingLink({ token, navigation, onOutcome }: OpenedLinkProps & { onOutcome: Finish }) {
  const { api } = useAppDeps();
  const { query, load, refresh } = useQuery(useCallback(() => api.openEmailChange(token), [api, token]));
  const { busy, refusal, run } = useTask();
  const failure = query.state === 'error' ? toFailure(query.refusal) : refusal && toFailure(refusal);
  const isDead = failure !== null && isGone(failure);
  // Another tab may have signed somebody in or out. Dead links are counted, for all who share the address of a client.
  useOnReturn(isDead ? doNothing : refresh);
  useKeptLink(token, !isDead && !(query.state === 'loaded' && query.data.isRestoration));
  /** Shows who is signed in by now, where it is somebody else than this page says. */
  const loadIfOther = async (error: unknown) => {
    if (!isOtherPerson(toFailure(toRefusal(error)))) throw error;
    await load();
  };
  const send = useSend(token, onOutcome);
  if (query.state === 'loading') return <Loading />;
  if (isDead) return <EmailLinkGone />;
  if (failure?.kind === 'decided') return <EmailTaken />;
  if (query.state !== 'loaded')
    return <ErrorScreen failure={toFailure(query.refusal)} onRetry={() => void load()} />;
  const { data: change } = query;
  return (
    <EmailQuestion
      change={change}
      navigation={navigation}
      busy={busy}
      onConfirm={() => run(() => send.confirm().catch(loadIfOther))}
      onCancel={() => run(() => send.cancel(change))}
      onPersonChanged={load}
    >
      <FailureSummary refusal={refusal} />
    </EmailQuestion>
  );
}

/** Sends what the person has pressed. */
function useSend(token: string, onOutcome: Finish) {
  const { api } = useAppDeps();
  return {
    async confirm() {
      const { email, passwordToken } = await api.confirmEmailChange(token);
      onOutcome(
        passwordToken === null ? { kind: 'changed', email } : { kind: 'restored', token: passwordToken },
      );
    },
    async cancel(change: EmailChange) {
      try {
        await api.cancelEmailChange(token);
      } catch (error) {
        if (!isGone(toFailure(toRefusal(error)))) throw error;
        return onOutcome({ kind: 'not-cancelled', email: change.email });
      }
      onOutcome({ kind: 'cancelled', change });
    },
  };
}

/** Keeps the token for a reload of this tab while `isNeeded`; one that restores an address is no longer, since it needs no session. */
function useKeptLink(token: string, isNeeded: boolean): void {
  const { keptEmailLink } = useAppDeps();
  useEffect(() => {
    if (isNeeded) keptEmailLink.keep(token);
    else keptEmailLink.forget(token);
  }, [keptEmailLink, token, isNeeded]);
}

const doNothing = () => undefined;
const isGone = ({ kind }: Failure): boolean => kind === 'unknown' || kind === 'invalid';
const isOtherPerson = ({ kind }: Failure): boolean => kind === 'signed-out' || kind === 'person-changed';
