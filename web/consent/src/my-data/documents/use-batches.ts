import { useCallback, useEffect } from 'react';
import type { Api, Batch } from '../../api/api.ts';
import { useAppDeps } from '../../app-deps.ts';
import { useOnReturn } from '../../use-on-return.ts';
import { useQuery, type PersonProps } from '../use-query.ts';

const POLL_MS = 2_000;

/** What connected sources are called, by their ids. */
export type SourceNames = ReadonlyMap<string, string>;

/** What came into the person's record; asked again while something is being read and somebody looks. */
export function useBatches(personProps: PersonProps) {
  const { api } = useAppDeps();
  const fetchBatches = useCallback(() => loadBatches(api), [api]);
  const { asked: query, load } = useQuery(fetchBatches, personProps);
  // Each answer starts the next wait.
  useEffect(() => {
    if (query.state !== 'known' || !query.data.batches.some(isPending)) return undefined;
    const timer = setTimeout(() => void (document.hidden || load()), POLL_MS);
    return () => clearTimeout(timer);
  }, [query, load]);
  useOnReturn(load);
  return { asked: query, load };
}

/** Most people have no connected source, and then nobody asks for names. */
async function loadBatches(api: Api): Promise<{ batches: Batch[]; names: SourceNames }> {
  const { results: batches } = await api.listMyUploads();
  if (batches.every(({ sourceId }) => sourceId === null)) return { batches, names: new Map() };
  const { results } = await api.listMySources();
  return { batches, names: new Map(results.map(({ sourceId, name }) => [sourceId, name])) };
}

export const isPending = ({ status }: Batch): boolean => status === 'queued' || status === 'processing';
