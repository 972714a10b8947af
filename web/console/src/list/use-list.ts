import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { z } from 'zod';
import type { EndpointDefinition } from '../../../../contract/endpoint.ts';
import type { Target } from '../../../kit/http/call.ts';
import type { ConsoleRequest } from '../api/console-call.ts';
import { buildQueryKey } from '../api/use-data.ts';
import { useConsole } from '../api/use-console.ts';
import { useCurl } from '../kit/build-curl.ts';
import { useSearch } from '../kit/use-search.ts';
import { PAGE_SIZE } from './page-sizes.ts';
import { countNew, isSameRows } from './rows.ts';

/** What lists answer: keyset pages by `next`, or pages by offset with the number of all. */
export interface ListAnswer<Row> {
  results: readonly Row[];
  next?: string | null;
  total?: number;
}

export type RowOf<E extends EndpointDefinition> =
  z.infer<E['response']> extends ListAnswer<infer Row> ? Row : never;

/** How a list goes from page to page: by the name of its cursor, or by offset. */
type Paging = 'before' | 'after' | 'offset';

interface ListOptions<E extends EndpointDefinition, Row> {
  /** The path's values besides the organization, and the filters. */
  request?: ConsoleRequest<E>;
  paging: Paging;
  /** The filters that are set, which "clear" takes out of the address; `useFilters` answers them. */
  filterNames?: readonly string[];
  pageSize?: number;
  /** Names a row; with it the first page asks every five seconds what is new, as lists of newest rows first do. */
  getKey: (row: Row) => string;
  isLive?: boolean;
  /** Whether the rows are asked for anew when somebody comes back to the tab; those of a live list wait for a click. */
  refetchOnReturn?: boolean;
  /** A list that is shown beside others names its page in the address by this. */
  pageParameter?: string;
}

export interface ListState<Row> {
  /** The same for a list whatever its filters are: what a member has chosen for it is kept by this name. */
  name: string;
  query: UseQueryResult<ListAnswer<Row>>;
  getKey: (row: Row) => string;
  paging: Paging;
  pageSize: number;
  /** Where in the list this page begins: a cursor or an offset; null: at its first row. */
  position: string | null;
  isFiltered: boolean;
  clearFilters(): void;
  goTo(position: string | null): void;
  /** The number of rows that came since the page was loaded. */
  newCount: number;
  showNew(): void;
  /** The list as a call of the API. */
  curl: string;
  /** Loads any page, for a download of all of them. */
  fetchPage(position: string | null, limit: number): Promise<ListAnswer<Row>>;
}

const POLL_MS = 5000;
const FAILED_POLL_MS = 60_000;

/** The state of a list, whose page stands in the address. `<List list={…}>` shows it. */
export function useList<E extends EndpointDefinition, Row = RowOf<E>>(
  target: Target<E>,
  options: ListOptions<E, Row>,
): ListState<Row> {
  const { call } = useConsole();
  const buildCurl = useCurl();
  const { request = {}, paging, filterNames = [], getKey } = options;
  const { pageSize = PAGE_SIZE, isLive = false, pageParameter = 'from' } = options;
  const { refetchOnReturn = !isLive } = options;
  const [search, setSearch] = useSearch();
  const position = search[pageParameter] ?? null;
  const buildRequest = (from: string | null, limit: number) =>
    ({
      ...request,
      query: { ...(request.query as object), limit, ...(from !== null && { [paging]: from }) },
    }) as ConsoleRequest<E>;
  const fetchPage = async (from: string | null, limit: number) =>
    (await call<E>(target, buildRequest(from, limit))) as ListAnswer<Row>;
  const queryKey = buildQueryKey(target, buildRequest(position, pageSize));
  const query = useQuery({
    queryKey,
    queryFn: () => fetchPage(position, pageSize),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: refetchOnReturn,
    refetchOnReconnect: refetchOnReturn,
  });
  const news = useNews({
    queryKey,
    query,
    getKey,
    isLive: isLive && position === null,
    fetch: () => fetchPage(null, pageSize),
  });
  return {
    name: target,
    getKey,
    paging,
    pageSize,
    position,
    isFiltered: filterNames.length > 0,
    clearFilters: () =>
      setSearch(Object.fromEntries([...filterNames, pageParameter].map((name) => [name, undefined]))),
    goTo: (to) => setSearch({ [pageParameter]: to ?? undefined }),
    ...news,
    curl: buildCurl<E>(target, buildRequest(position, pageSize)),
    fetchPage,
  };
}

interface NewsOptions<Row> {
  queryKey: readonly unknown[];
  query: UseQueryResult<ListAnswer<Row>>;
  getKey: (row: Row) => string;
  isLive: boolean;
  fetch: () => Promise<ListAnswer<Row>>;
}

/** Asks for newer rows while the tab is seen. They wait for a click: rows never jump under the pointer. */
function useNews<Row>({ queryKey, query, getKey, isLive, fetch }: NewsOptions<Row>) {
  const client = useQueryClient();
  const shown = query.data?.results;
  const newest = useQuery({
    queryKey: ['newest', ...queryKey],
    queryFn: fetch,
    enabled: isLive && shown !== undefined,
    refetchInterval: ({ state }) => (state.status === 'error' ? FAILED_POLL_MS : POLL_MS),
    retry: false,
    initialData: query.data,
  });
  const data = isLive && isSameRows(newest.data?.results, shown, getKey) ? newest.data : query.data;
  return {
    // What has changed within the rows is shown in its place.
    query: { ...query, data } as typeof query,
    newCount: isLive ? countNew(newest.data?.results, shown, getKey) : 0,
    showNew: () => client.setQueryData(queryKey, newest.data),
  };
}
