import { useCallback, useEffect, useState } from 'react';
import type { Address } from '../address.ts';
import type { Person } from '../api/api.ts';
import { type Trouble, troubleOf } from '../api/refusal.ts';
import { usePage } from '../page.ts';
import { Loading } from '../screens/loading.tsx';
import { TroubleScreen } from '../screens/trouble.tsx';
import { Invitation } from './invitation.tsx';
import { Signing } from './signing.tsx';
import { SignedInStart, Start } from './start.tsx';
import { WhatComesNext } from './what-comes-next.tsx';

type Seen =
  | { state: 'loading' }
  | { state: 'troubled'; trouble: Trouble }
  | { state: 'known'; person: Person | null };

/** Without a request: an invitation from a mail, or just the page. */
export function Welcome({ to, address }: { to: 'invitation' | 'start'; address: Address }) {
  const { api } = usePage();
  const [seen, setSeen] = useState<Seen>({ state: 'loading' });
  const load = useCallback(async () => {
    await api.session().then(
      ({ person }) => setSeen({ state: 'known', person }),
      (error: unknown) => setSeen({ state: 'troubled', trouble: troubleOf(error) }),
    );
  }, [api]);
  useEffect(() => void load(), [load]);

  if (seen.state === 'loading') return <Loading />;
  if (seen.state === 'troubled') return <TroubleScreen trouble={seen.trouble} onRetry={() => void load()} />;
  if (seen.person !== null) {
    const SignedIn = to === 'invitation' ? WhatComesNext : SignedInStart;
    return <SignedIn person={seen.person} onSignedOut={load} />;
  }
  if (address.step !== null) return <Signing address={address} onSignedIn={load} />;
  const SignedOut = to === 'invitation' ? Invitation : Start;
  return <SignedOut go={address.go} />;
}
