import { useCallback, useEffect, useState } from 'react';
import type { OpenedLink } from '../api/api.ts';
import { type Trouble, troubleOf } from '../api/refusal.ts';
import { usePage } from '../page.ts';
import { fragmentOf } from '../route.ts';
import { Loading } from '../screens/loading.tsx';
import { TroubleScreen } from '../screens/trouble.tsx';
import { ChoosePassword } from './choose-password.tsx';
import { LinkGone } from './link-gone.tsx';
import { SignedIn } from './signed-in.tsx';

type Seen =
  | { state: 'loading' }
  | { state: 'troubled'; trouble: Trouble }
  | { state: 'opened'; token: string; link: OpenedLink }
  | { state: 'signed-in' };

/** From a mail: what the link is for, then a password, then on to where it began. */
export function MailedLink({ token }: { token: string | null }) {
  const { api } = usePage();
  const [seen, setSeen] = useState<Seen>({ state: 'loading' });
  const load = useCallback(async () => {
    if (token === null) return;
    await api.openLink(token).then(
      (link) => setSeen({ state: 'opened', token, link }),
      (error: unknown) => setSeen({ state: 'troubled', trouble: troubleOf(error) }),
    );
  }, [api, token]);
  useEffect(() => void load(), [load]);

  const goOn = async (continueWith: string | null) => {
    // On the phone the mail was read on, the request is another browser's: then there is nothing to go on with here.
    const here = continueWith !== null && (await api.interaction(continueWith).catch(() => null)) !== null;
    if (here) location.replace(fragmentOf(continueWith));
    else setSeen({ state: 'signed-in' });
  };

  if (token === null) return <LinkGone reason="reloaded" />;
  if (seen.state === 'loading') return <Loading />;
  if (seen.state === 'signed-in') return <SignedIn />;
  if (seen.state === 'opened') return <ChoosePassword token={seen.token} link={seen.link} onDone={goOn} />;
  const gone = seen.trouble.kind === 'unknown' || seen.trouble.kind === 'invalid';
  if (gone) return <LinkGone reason="used" />;
  return <TroubleScreen trouble={seen.trouble} onRetry={() => void load()} />;
}
