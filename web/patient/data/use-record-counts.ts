import { useQuery, type QueryState } from '../../kit/query.ts';
import { useOnReturn } from '../../kit/use-on-return.ts';
import { type AccountApi, useAccountApi } from '../account-api.ts';
import type { Category } from './groups.ts';

type Answer = Awaited<ReturnType<AccountApi['countMyRecord']>>;

/** How much the signed-in person's record holds of each category; only they are shown it. */
export interface RecordCounts extends Pick<Answer, 'total' | 'isArriving' | 'isAsked'> {
  byCategory: ReadonlyMap<Category, number>;
}

/** Counts again when the person comes back to the page: they may have added files meanwhile. */
export function useRecordCounts(): RecordCounts | null {
  const { countMyRecord } = useAccountApi();
  const { query, refresh } = useQuery(countMyRecord);
  useOnReturn(refresh);
  return fromQuery(query);
}

/** Without an answer there are no counts: the choices do without them. */
const fromQuery = (query: QueryState<Answer>): RecordCounts | null =>
  query.state === 'loaded' ? toRecordCounts(query.data) : null;

export const toRecordCounts = ({ categories, ...rest }: Answer): RecordCounts => {
  return { ...rest, byCategory: new Map(categories.map(({ category, facts }) => [category, facts])) };
};
