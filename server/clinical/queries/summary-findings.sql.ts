import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { selectEntryColumns, type StoredEntry } from './clinical.sql.ts';
import { isFlagged } from './flagged.sql.ts';
import { isValid, lacksValue, type WithoutValue } from './stated-values.sql.ts';
import { selectSimilarIds } from './short-references.sql.ts';
import { filterReadable } from './visible-entries.sql.ts';

/** A summary shows the newest few, and says how many more there are. */
export const MAX_ABNORMAL = 60;

/** An entry of a measurement, and the last one that states no value, where it came later. */
export type LastStated<K extends 'lab' | 'social_history'> = StoredEntry<K> & { since: WithoutValue | null };

/**
 * The entries of these keys (a select of seq and ordinal, and of those of what came later without a value), each looked up by
 * its key whatever the planner expects.
 */
const selectByKeys = (access: RecordAccess, keys: Sql): Sql => sql`
  select entry.*, (
    select json_build_object('dayText', day_text, 'time', time, 'status', status, 'absent', detail ->> 'absent', 'value', detail ->> 'value',
      'reference', reference, 'similarIds', ${selectSimilarIds(access, sql`reference`)})
    from ${filterReadable(access)} and seq = key.since_seq and ordinal = key.since_ordinal) as since
  from (${keys}) key (seq, ordinal, since_seq, since_ordinal) cross join lateral (
    select ${selectEntryColumns(access)} from ${filterReadable(access)} and seq = key.seq and ordinal = key.ordinal) entry
  order by day desc nulls last, time desc nulls last, entry.seq desc, entry.ordinal`;

/**
 * Finds the tests of which the newest result with a value is abnormal, newest first, each with what was tried since. Of a
 * test's last day all results without a time count as the newest. Flags are looked for among the results of that day alone,
 * and a day before it only where that day states no value: reading the detail of every result, or sorting all by test, took
 * most of a summary.
 */
export const findAbnormalLabs = (access: RecordAccess) => {
  const selectOfTest = (columns: Sql): Sql => sql`
    select ${columns} from ${filterReadable(access)} and kind = 'lab' and group_key = test.group_key`;
  return toRecordQuery(
    access,
    sql<LastStated<'lab'>>`${selectByKeys(
      access,
      sql`
        select abnormal.seq, abnormal.ordinal, since.seq, since.ordinal from (
          select group_key, max(day) as day from ${filterReadable(access)} and kind = 'lab' and ${isValid} group by group_key) test
        cross join lateral (
          ${selectOfTest(sql`day`)} and day <= test.day and not coalesce(${lacksValue}, false) order by day desc limit 1) stated
        cross join lateral (
          select seq, ordinal, time from (
            ${selectOfTest(sql`seq, ordinal, time, detail::text as text, max(time) over () as last_time`)}
              and day = stated.day and not coalesce(${lacksValue}, false)) newest
          where (time is null or time = last_time) and ${isFlagged(sql`text`)}
          order by time desc nulls last, seq desc limit 1) abnormal
        left join lateral (
          ${selectOfTest(sql`seq, ordinal`)} and day >= stated.day and (day > stated.day or time > abnormal.time) and ${lacksValue}
          order by day desc, time desc nulls last, seq desc limit 1) since on true
        order by stated.day desc limit ${MAX_ABNORMAL}`,
    )}`,
  );
};

/** What a care agent must know of a life, by codes of LOINC and SNOMED CT: smoking, pregnancy. */
const SMOKING_CODES = '72166-2 11367-0 63638-1 81229-7 365981007 229819007 266918002'.split(' ');
const PREGNANCY_CODES = '82810-3 11449-6 80487-2 77386006 364320009'.split(' ');

/** "Unknown if ever smoked": systems write it wherever nobody asked. */
const SAYS_NOTHING = '\\m(unknown|not (asked|recorded|assessed|known))\\M';
/** "Smoker, current status unknown" says that somebody smokes, or did. */
const SAYS_SOMETHING = '^((current|former|ex|never|heavy|light|tobacco)[ -]+)*(smoker|smokes|smoked)\\M(?!:)';

const byNewest = sql`day desc nulls last, time desc nulls last, seq desc, ordinal`;

/**
 * Finds the newest entry about each of smoking and pregnancy that says something, with the last one since that does not; and
 * what else is said by entries that may be as new: of that moment, or without a date.
 */
export const findLifeStatus = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<LastStated<'social_history'>>`${selectByKeys(
      access,
      sql`
        select seq, ordinal, case when place = 1 and not is_newest then newest[1] end, case when place = 1 and not is_newest then newest[2] end
        from (
          select *, row_number() over (partition by is_pregnancy, said, may_be_newest order by says_nothing, ${byNewest}) as place_of_said
          from (
            select *, newest = array[seq, ordinal] as is_newest, row_number() over best as place,
              day is null or day = first_value(day) over best and coalesce(time = first_value(time) over best, true) as may_be_newest
            from (
              select *, first_value(array[seq, ordinal]) over (partition by is_pregnancy order by ${byNewest}) as newest
              from (
                select seq, ordinal::bigint, day, time, split_part(code, '|', 2) = any (${PREGNANCY_CODES}::text[]) as is_pregnancy,
                  lower(coalesce(detail ->> 'value', '')) as said,
                  coalesce(${lacksValue}, false) or coalesce(detail ->> 'value' ~* ${SAYS_NOTHING} and detail ->> 'value' !~* ${SAYS_SOMETHING}, false) as says_nothing
                from ${filterReadable(access)} and kind in ('social_history', 'survey')
                  and split_part(code, '|', 2) = any (${[...SMOKING_CODES, ...PREGNANCY_CODES]}::text[])) about) dated
            window best as (partition by is_pregnancy order by says_nothing, ${byNewest})) placed) compared
        where place = 1 or may_be_newest and not says_nothing and place_of_said = 1`,
    )}`,
  );

export const MAX_DEVICES = 60;

/** Finds devices that are in the body or in use: those that nobody recorded as inactive; and what was said of their use, over or not. */
export const findDevices = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<StoredEntry<'device'>>`
      select ${selectEntryColumns(access)} from ${filterReadable(access)} and kind = 'device'
        and (coalesce(status, 'active') not in ('inactive', 'completed', 'not-done', 'stopped', 'entered-in-error')
          or starts_with(reference, 'DeviceUseStatement/') and status in ('completed', 'stopped'))
      order by day desc nulls last, seq desc, ordinal limit ${MAX_DEVICES}`,
  );
