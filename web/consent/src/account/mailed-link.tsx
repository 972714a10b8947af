import { useCallback, useEffect, useState } from 'react';
import type { OpenedLink } from '../api/api.ts';
import { type Failure, toFailure } from '../api/refusal.ts';
import { useAppDeps } from '../app-deps.ts';
import { buildRequestFragment } from '../route.ts';
import { Loading } from '../screens/loading.tsx';
import { ErrorScreen } from '../screens/error-screen.tsx';
import { ChoosePassword } from './choose-password.tsx';
import { LinkExpired } from './link-expired.tsx';
import { SignedIn } from './signed-in.tsx';

type LinkView =
  | { state: 'loading' }
  | { state: 'troubled'; failure: Failure }
  | { state: 'opened'; token: string; link: OpenedLink }
  | { state: 'signed-in' };

/** From a mail: what the link is for, then a password, then on to where it began. */
export function MailedLink({ token }: { token: string | null }) {
  const { api } = useAppDeps();
  const [view, setView] = useState<LinkView>({ state: 'loading' });
  const load = useCallback(async () => {
    if (token === null) return;
    await api.openLink(token).then(
      (link) => setView({ state: 'opened', token, link }),
      (error: unknown) => setView({ state: 'troubled', failure: toFailure(error) }),
    );
  }, [api, token]);
  useEffect(() => void load(), [load]);

  const continueRequest = async (continueWith: string | null) => {
    // On the phone the mail was read on, the request is another browser's: then there is nothing to go on with here.
    const canContinue =
      continueWith !== null && (await api.getInteraction(continueWith).catch(() => null)) !== null;
    if (canContinue) location.replace(buildRequestFragment(continueWith));
    else setView({ state: 'signed-in' });
  };

  if (token === null) return <LinkExpired reason="reloaded" />;
  if (view.state === 'loading') return <Loading />;
  if (view.state === 'signed-in') return <SignedIn />;
  if (view.state === 'opened')
    return <ChoosePassword token={view.token} link={view.link} onDone={continueRequest} />;
  const isExpired = view.failure.kind === 'unknown' || view.failure.kind === 'invalid';
  if (isExpired) return <LinkExpired reason="used" />;
  return <ErrorScreen failure={view.failure} onRetry={() => void load()} />;
}
