import type { Entry } from '../../../clinical/entries/entry.ts';
import { escapeInline } from './escape-markdown.ts';

/** Statuses of observations that say nothing; "completed" is what `final` is of a questionnaire. */
const USUAL_STATUSES = new Set<string | null>(['final', 'completed', 'corrected', 'amended', null]);

/** "cancelled", of a result that is not what results are. */
export const formatObservationStatus = ({ status }: Pick<Entry, 'status'>): string =>
  USUAL_STATUSES.has(status) ? '' : escapeInline(status, 80);
