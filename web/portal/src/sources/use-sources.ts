import { useEffect, useRef } from 'react';
import type { Source } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { useOnReturn } from '../../../kit/use-on-return.ts';
import { usePersonQuery, type PersonProps } from '../person-query.ts';

const MIN_POLL_MS = 2_000;
/** A source that does not answer is retried for more than an hour. */
const MAX_POLL_MS = 30_000;

/** The sources of the person's record; polled, less and less often, while one can change and the page is seen. */
export function useSources(personProps: PersonProps) {
  const { api } = useAppDeps();
  const sources = usePersonQuery(api.listMySources, personProps);
  const { query, load } = sources;
  const delay = useRef(MIN_POLL_MS);
  // Each answer starts the next wait.
  useEffect(() => {
    if (query.state !== 'loaded' || !query.data.results.some(canChange)) {
      delay.current = MIN_POLL_MS;
      return undefined;
    }
    const timer = setTimeout(() => void (document.hidden || load()), delay.current);
    delay.current = Math.min(delay.current * 1.25, MAX_POLL_MS);
    return () => clearTimeout(timer);
  }, [query, load]);
  useOnReturn(load);
  /** A fetch that was just started is polled often again. */
  const reload = async (): Promise<void> => {
    delay.current = MIN_POLL_MS;
    await load();
  };
  return { query, load: reload };
}

const canChange = ({ state }: Source): boolean => state === 'waiting' || state === 'running';

/** True while the source is being fetched from, or soon will be; one that waits for its next try is neither. */
export const isSyncing = ({ state, code }: Source): boolean =>
  state === 'running' || (state === 'waiting' && code === null);
