import { useCallback, useEffect } from 'react';
import type { Batch, PortalApi } from '../api.ts';
import { useAppDeps } from '../app-deps.ts';
import { useOnReturn } from '../../../kit/use-on-return.ts';
import { usePersonQuery, type PersonProps } from '../person-query.ts';

const POLL_MS = 2_000;

/** The names of connected sources by their ids. */
export type SourceNames = ReadonlyMap<string, string>;

/** The batches that came into the person's record; polled while one is being read and the page is seen. */
export function useBatches(personProps: PersonProps) {
  const { api } = useAppDeps();
  const fetchBatches = useCallback(() => loadBatches(api), [api]);
  const batches = usePersonQuery(fetchBatches, personProps);
  const { query, load } = batches;
  // Each answer starts the next wait.
  useEffect(() => {
    if (query.state !== 'loaded' || !query.data.batches.some(isPending)) return undefined;
    const timer = setTimeout(() => void (document.hidden || load()), POLL_MS);
    return () => clearTimeout(timer);
  }, [query, load]);
  useOnReturn(load);
  return batches;
}

/** Most people have no connected source, and then the names are not fetched. */
async function loadBatches(api: PortalApi): Promise<{ batches: Batch[]; names: SourceNames }> {
  const { results: batches } = await api.listMyUploads();
  if (batches.every(({ sourceId }) => sourceId === null)) return { batches, names: new Map() };
  const { results } = await api.listMySources();
  return { batches, names: new Map(results.map(({ sourceId, name }) => [sourceId, name])) };
}

export const isPending = ({ status }: Batch): boolean => status === 'queued' || status === 'processing';

/** The person is asked whether it is about them. */
export const isAsked = ({ status }: Batch): boolean => status === 'needs_confirmation';
