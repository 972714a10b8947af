import type { Entry } from './entry.ts';
import { BEYOND_MEASURE } from './measure.ts';
import type { ObservationDetail } from './observation-detail.ts';

const MEASURES = new Set(['lab', 'vital', 'social_history', 'survey']);

/**
 * True of a measurement that states no value: a cancelled one, and one that only says why there is none. What was measured
 * before still stands, so that it is never the latest of anything. The same in SQL: `lacksValue` of `stated-values.sql.ts`.
 */
export function lacksValue({ kind, status, detail }: Pick<Entry, 'kind' | 'status' | 'detail'>): boolean {
  if (!MEASURES.has(kind)) return false;
  if (status === 'cancelled') return true;
  const { value, absent, interpretation, components } = detail as ObservationDetail;
  return (
    absent !== null &&
    value === null &&
    interpretation === null &&
    components.length === 0 &&
    ![...BEYOND_MEASURE].some((known) => absent.startsWith(known))
  );
}
