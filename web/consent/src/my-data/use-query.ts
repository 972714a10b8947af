import { useCallback, useEffect, useState } from 'react';
import type { Person } from '../api/api.ts';
import { type Failure, toFailure } from '../api/refusal.ts';
import { useAppDeps } from '../app-deps.ts';

/** What a section is about; it asks for its own part, so that one that fails leaves the others alone. */
export interface PersonProps {
  person: Person;
  /** Asks again who is signed in, and with that for every section. */
  reload: () => Promise<void>;
}

/** A part with a page of its own. */
export interface PartProps extends PersonProps {
  /** The account is no more. */
  onDeleted: () => void;
}

type QueryState<T> =
  | { state: 'loading' }
  | { state: 'troubled'; failure: Failure }
  | { state: 'known'; data: T };

/** A section's part of what is the person's; asked anew whenever the service has told again who that is. */
export function useQuery<T>(fetchData: () => Promise<T>, { person, reload }: PersonProps) {
  const [query, setQuery] = useState<QueryState<T>>({ state: 'loading' });
  const load = useCallback(async () => {
    await fetchData().then(
      (data) => setQuery({ state: 'known', data }),
      async (error: unknown) => {
        const failure = toFailure(error);
        if (failure.kind === 'signed-out') await reload();
        else setQuery({ state: 'troubled', failure });
      },
    );
  }, [fetchData, reload]);
  // A new `person` is the same one, told again.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => void load(), [load, person]);
  return { asked: query, load };
}

/**
 * Does something as the person of this page, who may be another by now: another tab can have signed in somebody else.
 * Tells whether it was done; where not, the page is told anew.
 */
export function useGuardedAction({
  person,
  reload,
}: PersonProps): (action: () => Promise<unknown>) => Promise<boolean> {
  const { api } = useAppDeps();
  return async (action) => {
    const isDone = await api
      .getSession()
      .then(async (session) => {
        if (session.person?.email !== person.email) return false;
        await action();
        return true;
      })
      .catch((error: unknown) => {
        if (toFailure(error).kind !== 'signed-out') throw error;
        return false;
      });
    if (!isDone) await reload();
    return isDone;
  };
}
