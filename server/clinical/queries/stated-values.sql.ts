import { sql, type Sql } from '../../platform/db/sql.ts';
import type { SimilarIds } from './short-references.sql.ts';

/** True of an observation that states a value, and of a visit that took place: FHIR's `cancelled` means that there is none. */
export const isValid: Sql = sql`status is distinct from 'cancelled'`;

/**
 * True of a measurement that states no value, as `lacksValue` of the entries has it. Only a detail with a reason for that is
 * parsed. Without a parameter: `group by` compares expressions by their parameters too.
 */
export const lacksValue: Sql = sql`
  (not (${isValid}) or strpos(detail::text, '"absent":"') > 0 and detail ->> 'absent' is not null and detail ->> 'value' is null
    and detail ->> 'interpretation' is null and json_array_length(detail -> 'components') = 0
    and detail ->> 'absent' !~ '^(below|above) measurable')`;

/** A measurement that states no value, named beside the last one that does: what was tried since, and when. */
export interface WithoutValue {
  dayText: string | null;
  time: string | null;
  status: string | null;
  absent: string | null;
  /** What it says instead, where that is nothing: "Unknown if ever smoked". */
  value?: string | null;
  reference: string;
  similarIds: SimilarIds;
}
