import type { Address } from '../address.ts';
import { Loading } from '../screens/loading.tsx';
import { TroubleScreen } from '../screens/trouble.tsx';
import { Invitation } from './invitation.tsx';
import { Signing } from './signing.tsx';
import { SignedInStart, Start } from './start.tsx';
import { useSession } from './use-session.ts';
import { WhatComesNext } from './what-comes-next.tsx';

/** Without a request: an invitation from a mail, or just the page. */
export function Welcome({ to, address }: { to: 'invitation' | 'start'; address: Address }) {
  const { session, load } = useSession();
  if (session.state === 'loading') return <Loading />;
  if (session.state === 'troubled')
    return <TroubleScreen trouble={session.trouble} onRetry={() => void load()} />;
  if (session.person !== null) {
    const SignedIn = to === 'invitation' ? WhatComesNext : SignedInStart;
    return <SignedIn person={session.person} onSignedOut={load} />;
  }
  if (address.step !== null) return <Signing address={address} onSignedIn={load} />;
  const SignedOut = to === 'invitation' ? Invitation : Start;
  return <SignedOut go={address.go} />;
}
