import { useCallback, useState } from 'react';
import { useQuery } from '../../../kit/query.ts';
import { toFailure } from '../../../patient/failure.ts';
import { useSpeaker } from '../../../patient/brand.tsx';
import { useAccountApi } from '../../../patient/account-api.ts';
import type { OpenedLink as Link } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { buildInvitationFragment, buildRequestFragment } from '../route.ts';
import { Loading } from '../../../patient/loading.tsx';
import { ErrorScreen } from '../../../patient/error-screen.tsx';
import { ChoosePassword, type ContinuedBy } from './choose-password.tsx';
import { LinkExpired } from './link-expired.tsx';
import { AccountRestored, SignedIn } from './signed-in.tsx';

/** Opened from a mail: what the link is for, then a password, then on to the request that it began with. */
export function MailedLink({ token, isRestoration = false }: { token: string | null } & Partial<LinkKind>) {
  return token === null ? (
    <LinkExpired reason="reloaded" />
  ) : (
    <OpenedLink token={token} isRestoration={isRestoration} />
  );
}

interface LinkKind {
  /** The account was taken back just before: no window waits for its password. */
  isRestoration: boolean;
}

function OpenedLink({ token, isRestoration }: { token: string } & LinkKind) {
  const { api } = useAppDeps();
  const { query, load } = useQuery(useCallback(() => api.openLink(token), [api, token]));
  const accountApi = useAccountApi();
  const [isSignedIn, setIsSignedIn] = useState(false);
  const [isGone, setIsGone] = useState(false);
  useSpeaker(query.state === 'loaded' ? query.data.organization : null);

  const goOn = async ({ continueWith, projectId }: ContinuedBy) => {
    // The phone on which the mail is read may not hold the request, which belongs to the browser that began it.
    const canContinue =
      continueWith !== null && (await api.getInteraction(continueWith).catch(() => null)) !== null;
    if (canContinue) location.replace(buildRequestFragment(continueWith));
    else if (continueWith === null && projectId !== null)
      location.replace(buildInvitationFragment(projectId));
    else setIsSignedIn(true);
  };

  /** Who has an account now had none when the link was opened, so that it was this page that made it. */
  const goOnIfDone = async (link: Link) => {
    const { person } = await accountApi.getSession();
    if (!link.hasPassword && person?.email === link.email) return goOn(link);
    setIsGone(true);
  };

  if (isSignedIn) return isRestoration ? <AccountRestored /> : <SignedIn />;
  if (isGone) return <LinkExpired reason="perhaps-done" />;
  if (query.state === 'loading') return <Loading />;
  if (query.state === 'loaded')
    return (
      <ChoosePassword
        token={token}
        link={query.data}
        onDone={goOn}
        onGone={async () => goOnIfDone(query.data)}
      />
    );
  const failure = toFailure(query.refusal);
  const isExpired = failure.kind === 'unknown' || failure.kind === 'invalid';
  if (isExpired) return <LinkExpired reason="used" />;
  return <ErrorScreen failure={failure} onRetry={() => void load()} />;
}
