import type { RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { selectEntryWithoutText } from '../queries/clinical.sql.ts';
import { lacksValue } from '../queries/stated-values.sql.ts';
import { filterFindable } from '../queries/visible-entries.sql.ts';
import { filterInScope, type Search } from './search-scope.sql.ts';

/** Of values that differ as written; how many of them contradict each other `judgeRivals` says. */
const MAX_WRITTEN = 8;

const NUMBER = '^[<>=≤≥~\\s]*[-+]?[0-9]';

const WRITTEN = sql`lower(concat_ws(' ', detail ->> 'value', detail ->> 'unit', nullif(detail ->> 'components', '[]')))`;
const IS_MEASURE = sql`kind in ('lab', 'vital', 'social_history', 'survey')`;

/**
 * Step 6: entries that give the measurement of a hit another value at the same time: two blood groups of one day, two undated
 * statements of whether somebody smokes. None of them is the newer one, so each is shown. A number is of its minute where both
 * have one; words are of their day. A day's entries are looked up by an index for each hit, those without a day read once for
 * all, and compared by a hash (`is true`): read for each hit, 15,000 results took a second.
 */
export const findRivals = (access: RecordAccess, search: Search): Sql => sql`
  measured as materialized (
    select text_hash, own.* from representative cross join lateral (
      select kind, group_key, day, day_text, time, ${WRITTEN} as own_written from ${filterFindable(access)}
        and seq = representative.seq and ordinal = representative.ordinal and ${IS_MEASURE} offset 0) own),
  undated as materialized (
    select distinct on (kind, group_key, day_text, ${WRITTEN}) kind, group_key, day_text, ${WRITTEN} as written, seq, ordinal
    from ${filterInScope(filterFindable(access), search)} and ${IS_MEASURE} and day is null
      and (select bool_or(day is null) from measured) and (group_key in (select group_key from measured where day is null)) is true
      and not (${lacksValue})
    order by kind, group_key, day_text, ${WRITTEN}, seq desc),
  rival as materialized (
    select text_hash, seq, ordinal from (
      select *, row_number() over (partition by text_hash, written order by seq desc, ordinal) as place,
        dense_rank() over (partition by text_hash order by written) as nth
      from (
        select text_hash, own_written, same_day.* from measured cross join lateral (
          select ${WRITTEN} as written, seq, ordinal from ${filterInScope(filterFindable(access), search)}
            and kind = measured.kind and day = measured.day and group_key = measured.group_key
            and day_text is not distinct from measured.day_text
            and (time is null or measured.time is null or time = measured.time or coalesce(detail ->> 'value', '0') !~ ${NUMBER})
            and not (${lacksValue}) offset 0) same_day
        union all
        select text_hash, own_written, written, seq, ordinal from measured join undated using (kind, group_key)
        where measured.day is null and undated.day_text is not distinct from measured.day_text) other
      where written <> '' and written <> own_written) numbered
    where place = 1 and nth <= ${MAX_WRITTEN})`;

/** The entries that `findRivals` found for the hit. */
export const selectRivals = (access: RecordAccess): Sql => sql`
  (select json_agg(row_to_json(other) order by place) from (
     select seq as at_seq, ordinal as at_ordinal, row_number() over () as place from rival
     where rival.text_hash = representative.text_hash) rival_of
   cross join lateral (
     select ${selectEntryWithoutText(access)} from ${filterFindable(access)}
       and seq = rival_of.at_seq and ordinal = rival_of.at_ordinal offset 0) other)`;
