import { useCallback, useEffect, useState } from 'react';
import type { Person } from '../api/api.ts';
import { type Trouble, troubleOf } from '../api/refusal.ts';
import { usePage } from '../page.ts';
import { useReturn } from '../use-return.ts';

type Session =
  | { state: 'loading' }
  | { state: 'troubled'; trouble: Trouble }
  /** A new object with each answer of the service, so that what hangs on it is asked anew. */
  | { state: 'known'; person: Person | null };

/** Who is signed in; asked again when the person comes back, since another tab may have changed it. */
export function useSession(): { session: Session; load: () => Promise<void> } {
  const { api } = usePage();
  const [session, setSession] = useState<Session>({ state: 'loading' });
  const load = useCallback(async () => {
    await api.session().then(
      ({ person }) => setSession({ state: 'known', person }),
      (error: unknown) => setSession({ state: 'troubled', trouble: troubleOf(error) }),
    );
  }, [api]);
  const refresh = useCallback(async () => {
    const answer = await api.session().catch(() => null);
    if (answer) setSession({ state: 'known', person: answer.person });
  }, [api]);
  useEffect(() => void load(), [load]);
  useReturn(refresh);
  return { session, load };
}
