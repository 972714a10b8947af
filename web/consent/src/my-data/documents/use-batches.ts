import { useEffect } from 'react';
import type { Batch } from '../../api/api.ts';
import { usePage } from '../../page.ts';
import { useReturn } from '../../use-return.ts';
import { useMine, type Mine } from '../use-mine.ts';

const ASK_MS = 2_000;

/** The person's uploads; asked again while one is being read and somebody looks. */
export function useBatches(mine: Mine) {
  const { api } = usePage();
  const { asked, load } = useMine(api.uploads, mine);
  // Each answer starts the next wait.
  useEffect(() => {
    if (!isAtWork(asked)) return undefined;
    const timer = setTimeout(() => void (document.hidden || load()), ASK_MS);
    return () => clearTimeout(timer);
  }, [asked, load]);
  useReturn(load);
  return { asked, load };
}

const isAtWork = (asked: ReturnType<typeof useMine<{ results: Batch[] }>>['asked']): boolean =>
  asked.state === 'known' &&
  asked.answer.results.some(({ status }) => status === 'queued' || status === 'processing');
