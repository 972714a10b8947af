import { useCallback, useEffect, useState } from 'react';
import type { Person } from '../api/api.ts';
import { type Failure, toFailure } from '../api/refusal.ts';
import { useAppDeps } from '../app-deps.ts';
import { useOnReturn } from '../use-on-return.ts';

type Session =
  | { state: 'loading' }
  | { state: 'troubled'; failure: Failure }
  /** A new object with each answer of the service, so that what hangs on it is asked anew. */
  | { state: 'known'; person: Person | null };

/** Who is signed in; asked again when the person comes back, since another tab may have changed it. */
export function useSession(): { session: Session; load: () => Promise<void> } {
  const { api } = useAppDeps();
  const [session, setSession] = useState<Session>({ state: 'loading' });
  const load = useCallback(async () => {
    await api.getSession().then(
      ({ person }) => setSession({ state: 'known', person }),
      (error: unknown) => setSession({ state: 'troubled', failure: toFailure(error) }),
    );
  }, [api]);
  const refresh = useCallback(async () => {
    const answer = await api.getSession().catch(() => null);
    if (answer) setSession({ state: 'known', person: answer.person });
  }, [api]);
  useEffect(() => void load(), [load]);
  useOnReturn(refresh);
  return { session, load };
}
