import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql } from '../../platform/db/sql.ts';
import { selectEntryColumns, type StoredEntry } from './clinical.sql.ts';
import { filterReadable } from './visible-entries.sql.ts';

/** The flags of a result that are no normal one, in the JSON of its detail: the source's, or ours. Looked for after the plain word. */
const ABNORMAL_FLAG = '"flag" ?: ?"(high|low|critical|abnormal)';

/** A summary shows the newest few, and says how many more there are. */
export const MAX_ABNORMAL = 60;

/**
 * Finds the tests of which the newest result is abnormal, newest first. The pattern is looked for before anything is
 * sorted: of most records it leaves a handful.
 */
export const findAbnormalLabs = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<StoredEntry<'lab'>>`
      select ${selectEntryColumns(access)} from ${filterReadable(access)} and kind = 'lab' and (seq, ordinal) in (
        select seq, ordinal from (
          select distinct on (group_key) seq, ordinal, group_key, day, time from ${filterReadable(access)}
            and kind = 'lab' and day is not null and detail::text like '%"flag"%' and detail::text ~ ${ABNORMAL_FLAG}
          order by group_key, day desc, time desc nulls last, seq desc) newest
        where not exists (
          select from (select group_key, day, time from ${filterReadable(access)} and kind = 'lab') later
          where later.group_key = newest.group_key
            and (later.day > newest.day or later.day = newest.day and later.time > newest.time))
        order by day desc limit ${MAX_ABNORMAL})
      order by day desc, time desc nulls last, seq desc, ordinal`,
  );

/** What a care agent must know of a life, by codes of LOINC and SNOMED CT: smoking, pregnancy. */
const SMOKING_CODES = '72166-2 11367-0 63638-1 81229-7 365981007 229819007 266918002'.split(' ');
const PREGNANCY_CODES = '82810-3 11449-6 80487-2 77386006 364320009'.split(' ');

/** Finds the newest entry about each of smoking and pregnancy. */
export const findLifeStatus = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<StoredEntry<'social_history'>>`
      select ${selectEntryColumns(access)} from ${filterReadable(access)} and (seq, ordinal) in (
        select seq, ordinal from (
          select distinct on (is_pregnancy) seq, ordinal from (
            select seq, ordinal, day, time, split_part(code, '|', 2) = any (${PREGNANCY_CODES}::text[]) as is_pregnancy
            from ${filterReadable(access)} and kind in ('social_history', 'survey')
              and split_part(code, '|', 2) = any (${[...SMOKING_CODES, ...PREGNANCY_CODES]}::text[])) about
          order by is_pregnancy, day desc nulls last, time desc nulls last, seq desc) newest)
      order by day desc nulls last, seq desc, ordinal`,
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
