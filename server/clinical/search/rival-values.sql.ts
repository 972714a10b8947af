import type { RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { selectEntryWithoutText } from '../queries/clinical.sql.ts';
import { lacksValue } from '../queries/stated-values.sql.ts';
import { filterFindable } from '../queries/visible-entries.sql.ts';
import { filterInScope, type Search } from './search-scope.sql.ts';

/** Of values that differ as written; how many of them contradict each other `judgeRivals` says. */
const MAX_WRITTEN = 8;

const NUMBER = '^[<>=≤≥~\\s]*[-+]?[0-9]';

/**
 * Entries that give the measurement of `entry` another value at the same time: two blood groups of one day, two undated
 * statements of whether somebody smokes. None of them is the newer one, so each is shown. A number is of its minute where both
 * have one; words are of their day.
 */
export const selectRivals = (access: RecordAccess, search: Search): Sql => sql`
  case when entry.kind in ('lab', 'vital', 'social_history', 'survey') then (
    select json_agg(row_to_json(rival)) from (
      select distinct on (lower(${WRITTEN})) ${selectEntryWithoutText(access)}
      from ${filterInScope(filterFindable(access), search)}
        and clinical_entry.kind = entry.kind and (day = entry.day or day is null and entry.day is null)
        and group_key = entry."groupKey" and day_text is not distinct from entry."dayText"
        and (time is null or entry.time is null or time = entry.time or coalesce(detail ->> 'value', '0') !~ ${NUMBER})
        and not (${lacksValue}) and ${WRITTEN} <> '' and lower(${WRITTEN}) <> (
          select lower(${WRITTEN}) from (select entry.detail) own)
      order by lower(${WRITTEN}), seq desc limit ${MAX_WRITTEN}) rival) end`;

const WRITTEN = sql`concat_ws(' ', detail ->> 'value', detail ->> 'unit', nullif(detail ->> 'components', '[]'))`;
