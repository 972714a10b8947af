import { useCallback, useEffect, useRef, useState } from 'react';
import { isTransient, type Refusal, toRefusal } from './http/refusal.ts';

export type QueryState<Data> =
  | { state: 'loading' }
  | { state: 'error'; refusal: Refusal }
  | { state: 'loaded'; data: Data };

export interface Query<Data> {
  query: QueryState<Data>;
  /** Fetches; a refusal becomes the state. */
  load(): Promise<void>;
  /** Fetches, and keeps what is shown when the service cannot answer now. Returns whether it answered. */
  refresh(): Promise<boolean>;
  /** Sets the state to what the caller knows already; an answer that is under way no longer counts. */
  settle(query: QueryState<Data>): void;
  /** Changes what is shown; an answer that is under way still replaces it. */
  update(change: (query: QueryState<Data>) => QueryState<Data>): void;
}

interface QueryOptions {
  /** Returns true when it has handled the refusal, which then does not become the state. */
  onRefusal?: (refusal: Refusal) => Promise<boolean>;
}

/**
 * Loads data when a screen appears, and again whenever `fetchData` is another function; what is shown stays until the
 * answer is there. An answer that a newer one has overtaken is dropped.
 */
export function useQuery<Data>(
  fetchData: () => Promise<Data>,
  { onRefusal }: QueryOptions = {},
): Query<Data> {
  const [query, setQuery] = useState<QueryState<Data>>({ state: 'loading' });
  const latest = useRef(0);
  const settle = useCallback((state: QueryState<Data>) => {
    latest.current += 1;
    setQuery(state);
  }, []);
  const run = useCallback(
    (keepOnFailure: boolean): Promise<boolean> => {
      const sequence = ++latest.current;
      const show = async (answer: QueryState<Data>): Promise<boolean> => {
        const hasAnswered = answer.state !== 'error' || !isTransient(answer.refusal);
        if (sequence !== latest.current || (keepOnFailure && !hasAnswered)) return hasAnswered;
        const isHandled = answer.state === 'error' && (await onRefusal?.(answer.refusal)) === true;
        if (!isHandled) setQuery(answer);
        return hasAnswered;
      };
      return fetchData().then(
        (data) => show({ state: 'loaded', data }),
        (error: unknown) => show({ state: 'error', refusal: toRefusal(error) }),
      );
    },
    [fetchData, onRefusal],
  );
  const load = useCallback(async () => void (await run(false)), [run]);
  const refresh = useCallback(async () => run(true), [run]);
  useEffect(() => void load(), [load]);
  return { query, load, refresh, settle, update: setQuery };
}

interface Page<Item> {
  results: readonly Item[];
  /** Where the next page begins; null when there is none. */
  next: string | null;
}

export interface PagedQuery<Data> extends Query<Data> {
  /** Appends the next page. Returns how many items came with it. */
  loadMore(): Promise<number>;
}

/** A list that is loaded page by page; `load` begins at the first page again. */
export function usePagedQuery<Item, Data extends Page<Item>>(
  fetchPage: (before?: string) => Promise<Data>,
  options: QueryOptions = {},
): PagedQuery<Data> {
  const fetchFirst = useCallback(() => fetchPage(), [fetchPage]);
  const paged = useQuery(fetchFirst, options);
  const { query, update } = paged;
  const loadMore = async (): Promise<number> => {
    if (query.state !== 'loaded' || query.data.next === null) return 0;
    const page = await fetchPage(query.data.next);
    const results = [...query.data.results, ...page.results];
    // Nothing is appended to a list that was loaded anew in the meantime.
    update((current) => (current === query ? { state: 'loaded', data: { ...page, results } } : current));
    return page.results.length;
  };
  return { ...paged, loadMore };
}
