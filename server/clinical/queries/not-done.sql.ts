import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Kind } from '../entries/entry.ts';
import { filterReadable } from './visible-entries.sql.ts';

/** Of the entries of a kind, those that record what did not take place, or not yet, and statements ("no known procedures"). */
export interface NotDone {
  kind: Kind;
  state: 'not-done' | 'cancelled' | 'planned' | 'unfinished' | 'stated';
  entries: number;
}

/** Counts the procedures, vaccines, visits and results that did not take place; of few the detail is parsed. */
export const findNotDone = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<NotDone>`
      select kind, state, count(*) as entries
      from (
        select kind, case
          when kind in ('procedure', 'immunization') and strpos(detail::text, '"none"') > 0 and detail ->> 'none' = 'true' then 'stated'
          when kind = 'lab' or kind = 'visit' then case when status in ('cancelled', 'planned') then status end
          when status = 'not-done' then status
          when kind = 'procedure' and status <> 'completed' then 'unfinished' end as state
        from ${filterReadable(access)} and kind in ('procedure', 'immunization', 'visit', 'lab')
          and (kind in ('procedure', 'immunization') or status in ('cancelled', 'planned'))) counted
      where state is not null group by kind, state order by kind, state`,
  );
