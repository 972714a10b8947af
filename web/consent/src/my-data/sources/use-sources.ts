import { useEffect, useRef } from 'react';
import type { Source } from '../../api/api.ts';
import { useAppDeps } from '../../app-deps.ts';
import { useOnReturn } from '../../use-on-return.ts';
import { useQuery, type PersonProps } from '../use-query.ts';

const MIN_POLL_MS = 2_000;
/** A source that does not answer is tried again for more than an hour. */
const MAX_POLL_MS = 30_000;

/** Where the person's record is fetched from; asked again, less and less often, while somebody looks and it changes. */
export function useSources(personProps: PersonProps) {
  const { api } = useAppDeps();
  const { asked: query, load } = useQuery(api.listMySources, personProps);
  const delay = useRef(MIN_POLL_MS);
  // Each answer starts the next wait.
  useEffect(() => {
    if (query.state !== 'known' || !query.data.results.some(canChange)) {
      delay.current = MIN_POLL_MS;
      return undefined;
    }
    const timer = setTimeout(() => void (document.hidden || load()), delay.current);
    delay.current = Math.min(delay.current * 1.25, MAX_POLL_MS);
    return () => clearTimeout(timer);
  }, [query, load]);
  useOnReturn(load);
  /** What has just been set off is looked at often again. */
  const reload = async (): Promise<void> => {
    delay.current = MIN_POLL_MS;
    await load();
  };
  return { asked: query, load: reload };
}

const canChange = ({ state }: Source): boolean => state === 'waiting' || state === 'running';

/** Whether it is being asked: one that waits for its next try does not answer soon. */
export const isSyncing = ({ state, code }: Source): boolean =>
  state === 'running' || (state === 'waiting' && code === null);
