import { createContext, useCallback, useContext } from 'react';
import { Refusal, toRefusal } from '../../kit/http/refusal.ts';
import { type PagedQuery, type Query, usePagedQuery, useQuery } from '../../kit/query.ts';
import { type Person, useAccountApi } from '../../patient/account-api.ts';
import { toFailure } from '../../patient/failure.ts';
import type { LossReason } from '../../patient/lost-action.tsx';
import { isSamePerson } from '../../patient/same-person.ts';
import { type KeptChoice, useLostAction } from './lost-action.ts';

/** Whose page it is. Each section loads its own data, so that one that fails leaves the others alone. */
export interface PersonProps {
  person: Person;
  /** Asks again who is signed in, and with that for every section. */
  reload: () => Promise<void>;
}

const PersonContext = createContext<PersonProps | null>(null);
export const PersonProvider = PersonContext.Provider;

/** Returns whose page it is, for what stands deep in it. */
export function usePerson(): PersonProps {
  const props = useContext(PersonContext);
  if (props === null) throw new Error('Nobody is signed in on this screen.');
  return props;
}

/** A part with a page of its own. */
export interface PartProps extends PersonProps {
  onDeleted: () => void;
}

/** Loads data of the person; again whenever the session was loaded again, which makes `person` a new object. */
export function usePersonQuery<Data>(fetchData: () => Promise<Data>, props: PersonProps): Query<Data> {
  // oxlint-disable-next-line react/memo-dependencies, react-hooks/exhaustive-deps
  const fetchAgain = useCallback(() => fetchData(), [fetchData, props.person]);
  return useQuery(fetchAgain, { onRefusal: useSignedOutHandler(props) });
}

/** Likewise, page by page. */
export function usePersonPages<Data extends { results: readonly unknown[]; next: string | null }>(
  fetchPage: (before?: string) => Promise<Data>,
  props: PersonProps,
): PagedQuery<Data> {
  // oxlint-disable-next-line react/memo-dependencies, react-hooks/exhaustive-deps
  const fetchAgain = useCallback((before?: string) => fetchPage(before), [fetchPage, props.person]);
  return usePagedQuery(fetchAgain, { onRefusal: useSignedOutHandler(props) });
}

/** Whoever is signed out meanwhile is asked to sign in. */
const useSignedOutHandler = ({ reload }: PersonProps) =>
  useCallback(
    async (refusal: Refusal): Promise<boolean> => {
      if (toFailure(refusal).kind !== 'signed-out') return false;
      await reload();
      return true;
    },
    [reload],
  );

/**
 * Runs an action as the person of this page, who may be another by now: another tab can have signed in somebody else.
 * Returns whether it was done; if not, the page is loaded anew and says so, also after signing in again. What was chosen, `kept`, is
 * offered then to the same person.
 */
export function useGuardedAction({
  person,
  reload,
}: PersonProps): (action: () => Promise<unknown>, kept?: KeptChoice) => Promise<boolean> {
  const api = useAccountApi();
  const { setLost } = useLostAction();
  return async (action, kept) => {
    const reason = await api
      .getSession()
      .then(async (session): Promise<LossReason | null> => {
        if (session.person === null) return 'signed-out';
        if (!isSamePerson(session.person, person)) return 'other-person';
        await action();
        return null;
      })
      .catch((error: unknown): LossReason => {
        if (toFailure(toRefusal(error)).kind !== 'signed-out') throw error;
        return 'signed-out';
      });
    setLost(reason && { reason, person, ...kept });
    if (reason !== null) await reload();
    return reason === null;
  };
}

/** Goes on after the person has signed out themselves: nothing was lost by that, and what was kept is given up. */
export function useSignedOut({ reload }: PersonProps): () => Promise<void> {
  const { setLost } = useLostAction();
  return async () => {
    setLost(null);
    await reload();
  };
}

/** True where what an action was about is no more: another tab, or another device, was first. */
export const isGone = (error: unknown): boolean => error instanceof Refusal && error.status === 404;

/** Runs what ends something; it has done so too where that had ended already. */
export const endOnce = (end: () => Promise<unknown>) => async (): Promise<void> => {
  await end().catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
};
