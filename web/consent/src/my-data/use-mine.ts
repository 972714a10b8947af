import { useCallback, useEffect, useState } from 'react';
import type { Person } from '../api/api.ts';
import { type Trouble, troubleOf } from '../api/refusal.ts';
import { usePage } from '../page.ts';

/** What a section is about; it asks for its own part, so that one that fails leaves the others alone. */
export interface Mine {
  person: Person;
  /** Asks again who is signed in, and with that for every section. */
  reload: () => Promise<void>;
}

/** A part with a page of its own. */
export interface PartProps extends Mine {
  /** The account is no more. */
  onDeleted: () => void;
}

type Asked<T> =
  | { state: 'loading' }
  | { state: 'troubled'; trouble: Trouble }
  | { state: 'known'; answer: T };

/** A section's part of what is the person's; asked anew whenever the service has told again who that is. */
export function useMine<T>(ask: () => Promise<T>, { person, reload }: Mine) {
  const [asked, setAsked] = useState<Asked<T>>({ state: 'loading' });
  const load = useCallback(async () => {
    await ask().then(
      (answer) => setAsked({ state: 'known', answer }),
      async (error: unknown) => {
        const trouble = troubleOf(error);
        if (trouble.kind === 'signed-out') await reload();
        else setAsked({ state: 'troubled', trouble });
      },
    );
  }, [ask, reload]);
  // A new `person` is the same one, told again.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => void load(), [load, person]);
  return { asked, load };
}

/**
 * Does something as the person of this page, who may be another by now: another tab can have signed in somebody else.
 * Tells whether it was done; where not, the page is told anew.
 */
export function useAsMe({ person, reload }: Mine): (work: () => Promise<unknown>) => Promise<boolean> {
  const { api } = usePage();
  return async (work) => {
    const done = await api
      .session()
      .then(async (session) => {
        if (session.person?.email !== person.email) return false;
        await work();
        return true;
      })
      .catch((error: unknown) => {
        if (troubleOf(error).kind !== 'signed-out') throw error;
        return false;
      });
    if (!done) await reload();
    return done;
  };
}
