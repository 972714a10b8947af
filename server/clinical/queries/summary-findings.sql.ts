import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { selectEntryColumns, type StoredEntry } from './clinical.sql.ts';
import { isFlagged } from './flagged.sql.ts';
import { isValid } from './summary.sql.ts';
import { filterReadable } from './visible-entries.sql.ts';

/** A summary shows the newest few, and says how many more there are. */
export const MAX_ABNORMAL = 60;

/** The entries of these keys (a select of seq and ordinal), each looked up by its key whatever the planner expects. */
const selectByKeys = (access: RecordAccess, keys: Sql): Sql => sql`
  select entry.* from (${keys}) key (seq, ordinal) cross join lateral (
    select ${selectEntryColumns(access)} from ${filterReadable(access)} and seq = key.seq and ordinal = key.ordinal) entry
  order by day desc nulls last, time desc nulls last, entry.seq desc, entry.ordinal`;

/**
 * Finds the tests of which the newest valid result is abnormal, newest first. Of a test's last day all results without a time
 * count as the newest. Flags are looked for among the results of that day alone: reading the detail of every result, or
 * sorting all by test, took most of a summary.
 */
export const findAbnormalLabs = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<StoredEntry<'lab'>>`${selectByKeys(
      access,
      sql`
        select abnormal.seq, abnormal.ordinal from (
          select group_key, max(day) as day from ${filterReadable(access)} and kind = 'lab' and ${isValid} group by group_key) test
        cross join lateral (
          select seq, ordinal from (
            select seq, ordinal, time, detail::text as text, max(time) over () as last_time
            from ${filterReadable(access)} and kind = 'lab' and ${isValid} and day = test.day and group_key = test.group_key) newest
          where (time is null or time = last_time) and ${isFlagged(sql`text`)}
          order by time desc nulls last, seq desc limit 1) abnormal
        order by test.day desc limit ${MAX_ABNORMAL}`,
    )}`,
  );

/** What a care agent must know of a life, by codes of LOINC and SNOMED CT: smoking, pregnancy. */
const SMOKING_CODES = '72166-2 11367-0 63638-1 81229-7 365981007 229819007 266918002'.split(' ');
const PREGNANCY_CODES = '82810-3 11449-6 80487-2 77386006 364320009'.split(' ');

/** Finds the newest valid entry about each of smoking and pregnancy. */
export const findLifeStatus = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<StoredEntry<'social_history'>>`${selectByKeys(
      access,
      sql`
        select distinct on (is_pregnancy) seq, ordinal from (
          select seq, ordinal, day, time, split_part(code, '|', 2) = any (${PREGNANCY_CODES}::text[]) as is_pregnancy
          from ${filterReadable(access)} and kind in ('social_history', 'survey') and ${isValid}
            and split_part(code, '|', 2) = any (${[...SMOKING_CODES, ...PREGNANCY_CODES]}::text[])) about
        order by is_pregnancy, day desc nulls last, time desc nulls last, seq desc`,
    )}`,
  );

export const MAX_DEVICES = 60;

/** Finds devices that are in the body or in use: those that nobody recorded as inactive. */
export const findDevices = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<StoredEntry<'device'>>`
      select ${selectEntryColumns(access)} from ${filterReadable(access)} and kind = 'device'
        and coalesce(status, 'active') not in ('inactive', 'completed', 'not-done', 'stopped', 'entered-in-error')
      order by day desc nulls last, seq desc, ordinal limit ${MAX_DEVICES}`,
  );
