import { useEffect, useRef } from 'react';
import type { Source } from '../../api/api.ts';
import { usePage } from '../../page.ts';
import { useReturn } from '../../use-return.ts';
import { useMine, type Mine } from '../use-mine.ts';

const FIRST_MS = 2_000;
/** A source that does not answer is tried again for more than an hour. */
const LONGEST_MS = 30_000;

/** Where the person's record is fetched from; asked again, less and less often, while somebody looks and it changes. */
export function useSources(mine: Mine) {
  const { api } = usePage();
  const { asked, load } = useMine(api.sources, mine);
  const wait = useRef(FIRST_MS);
  // Each answer starts the next wait.
  useEffect(() => {
    if (asked.state !== 'known' || !asked.answer.results.some(mayChange)) {
      wait.current = FIRST_MS;
      return undefined;
    }
    const timer = setTimeout(() => void (document.hidden || load()), wait.current);
    wait.current = Math.min(wait.current * 1.25, LONGEST_MS);
    return () => clearTimeout(timer);
  }, [asked, load]);
  useReturn(load);
  /** What has just been set off is looked at often again. */
  const reload = async (): Promise<void> => {
    wait.current = FIRST_MS;
    await load();
  };
  return { asked, load: reload };
}

const mayChange = ({ state }: Source): boolean => state === 'waiting' || state === 'running';

/** Whether it is being asked: one that waits for its next try does not answer soon. */
export const isBeingAsked = ({ state, code }: Source): boolean =>
  state === 'running' || (state === 'waiting' && code === null);
