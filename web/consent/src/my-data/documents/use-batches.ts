import { useCallback, useEffect } from 'react';
import type { Api, Batch } from '../../api/api.ts';
import { usePage } from '../../page.ts';
import { useReturn } from '../../use-return.ts';
import { useMine, type Mine } from '../use-mine.ts';

const ASK_MS = 2_000;

/** What connected sources are called, by their ids. */
export type SourceNames = ReadonlyMap<string, string>;

/** What came into the person's record; asked again while something is being read and somebody looks. */
export function useBatches(mine: Mine) {
  const { api } = usePage();
  const ask = useCallback(() => batchesWithNames(api), [api]);
  const { asked, load } = useMine(ask, mine);
  // Each answer starts the next wait.
  useEffect(() => {
    if (asked.state !== 'known' || !asked.answer.batches.some(isAtWork)) return undefined;
    const timer = setTimeout(() => void (document.hidden || load()), ASK_MS);
    return () => clearTimeout(timer);
  }, [asked, load]);
  useReturn(load);
  return { asked, load };
}

/** Most people have no connected source, and then nobody asks for names. */
async function batchesWithNames(api: Api): Promise<{ batches: Batch[]; names: SourceNames }> {
  const { results: batches } = await api.uploads();
  if (batches.every(({ sourceId }) => sourceId === null)) return { batches, names: new Map() };
  const { results } = await api.sources();
  return { batches, names: new Map(results.map(({ sourceId, name }) => [sourceId, name])) };
}

export const isAtWork = ({ status }: Batch): boolean => status === 'queued' || status === 'processing';
