import { labelBit } from '../../consent/access/sensitivity-labels.ts';
import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import type { Entry, Kind, VitalName } from '../entries/entry.ts';
import { filterReadable, selectVisitAndOrganization } from './visible-entries.sql.ts';
import { selectMatchedVisits, selectMatches, type MatchedEntry } from './matches.sql.ts';

/** An entry with its place in the record. */
export type StoredEntry<K extends Kind = Kind> = Extract<Entry, { kind: K }> & {
  seq: number;
  ordinal: number;
  /** `Type/id`. */
  reference: string;
  documentPath: string;
  /** What other sources say of the same; null: nothing. */
  matches?: MatchedEntry[] | null;
};

/** What a history is about. */
export interface EntryFilter<K extends Kind = Kind> {
  kind: K;
  /** Which of them are shown whatever their date: none, those in force, or all. */
  alwaysShown: 'none' | 'current' | 'all';
  /** Only these vital signs. */
  vitals?: readonly VitalName[] | undefined;
}

/** [from, before), in written calendar days; without `before` there is no upper bound. */
export interface DayRange {
  from: string;
  before: string | null;
}

const selectWithoutDetail = (access: RecordAccess): Sql => sql`
  seq, ordinal, kind, category, title, code, day, day_text as "dayText", time, end_text as "endText", status, current,
  group_key as "groupKey", ${selectVisitAndOrganization(access)}, reference, document_path as "documentPath", ${selectMatches(access)}`;

export const selectEntryColumns = (access: RecordAccess): Sql => sql`${selectWithoutDetail(access)}, detail`;

/** Newest first; what happened on one day in reverse order too, then as recorded. */
const newestFirst = sql`order by day desc nulls last, time desc nulls last, seq desc, ordinal`;

const filterEntries = (access: RecordAccess, filter: EntryFilter): Sql => sql`
  ${filterReadable(access)} and kind = ${filter.kind}
    and (${filter.vitals ?? null}::text[] is null or detail ->> 'vital' = any (${filter.vitals ?? null}::text[]))`;

const ALWAYS_SHOWN: Readonly<Record<EntryFilter['alwaysShown'], Sql>> = {
  none: sql`false`,
  current: sql`current`,
  all: sql`true`,
};
const isAlwaysShown = ({ alwaysShown }: EntryFilter): Sql => ALWAYS_SHOWN[alwaysShown];

/** One reading of the database: what stands, and what has no date, is shown up to here; a window goes on with the next answer. */
export const MAX_ENTRIES = 1500;

/** Entries that stand whatever the window, unless they began after it. */
export const findAlwaysShown = <K extends Kind>(
  access: RecordAccess,
  filter: EntryFilter<K>,
  days: DayRange,
) =>
  toRecordQuery(
    access,
    sql<StoredEntry<K>>`
      select ${selectEntryColumns(access)} from ${filterEntries(access, filter)} and ${isAlwaysShown(filter)}
        and (day is null or ${days.before}::date is null or day < ${days.before}::date)
      ${newestFirst} limit ${MAX_ENTRIES}`,
  );

/**
 * What counts as in force and was last told of before `day`, by whatever entry: it may only be that nobody closed it.
 * For conditions and medications; an allergy or a name is told once.
 */
export const findStaleGroups = (access: RecordAccess, filter: EntryFilter, day: string) =>
  toRecordQuery(
    access,
    sql<{ groupKey: string; lastDay: string }>`
      select group_key as "groupKey", max(day_text) as "lastDay" from ${filterReadable(access)}
        and kind = ${filter.kind} and ${filter.alwaysShown === 'current' ? sql`true` : sql`false`}
      group by group_key having bool_or(current) and max(day) < ${day}::date`,
  );

const filterWindow = (access: RecordAccess, filter: EntryFilter, days: DayRange): Sql => sql`
  ${filterEntries(access, filter)} and not ${isAlwaysShown(filter)}
    and day >= ${days.from}::date and (${days.before}::date is null or day < ${days.before}::date)`;

/**
 * The newest whole days of the window: 1,500 entries fill several answers, and a day's ties come along, so that
 * the next answer starts at a day's border.
 */
export const findEntriesInWindow = <K extends Kind>(
  access: RecordAccess,
  filter: EntryFilter<K>,
  days: DayRange,
) =>
  toRecordQuery(
    access,
    sql<StoredEntry<K>>`
      select * from (
        select ${selectEntryColumns(access)} from ${filterWindow(access, filter, days)}
        order by day desc fetch first 1500 rows with ties) page
      ${newestFirst}`,
  );

/** The newest day before what `entriesIn` answers with. */
export const findOlderDay = (access: RecordAccess, filter: EntryFilter, days: DayRange) =>
  toRecordQuery(
    access,
    sql<{ day: string | null }>`
      select max(day) as day from ${filterEntries(access, filter)} and not ${isAlwaysShown(filter)}
        and day < coalesce((
          select min(day) from (
            select day from ${filterWindow(access, filter, days)}
            order by day desc fetch first 1500 rows with ties) page), ${days.from}::date)`,
  );

export const findUndatedEntries = <K extends Kind>(access: RecordAccess, filter: EntryFilter<K>) =>
  toRecordQuery(
    access,
    sql<StoredEntry<K>>`
      select ${selectEntryColumns(access)} from ${filterEntries(access, filter)} and not ${isAlwaysShown(filter)} and day is null
      ${newestFirst} limit ${MAX_ENTRIES}`,
  );

/** `Encounter/id`, and the urn it had before its record was stored. */
const listVisitReferences = (encounterId: string): string[] => [
  `Encounter/${encounterId}`,
  `urn:uuid:${encounterId}`,
];

/** The visit, or the one that is shown in its place. */
export const findVisit = (access: RecordAccess, encounterId: string) =>
  toRecordQuery(
    access,
    sql<StoredEntry<'visit'>>`
      select ${selectEntryColumns(access)} from ${filterReadable(access)} and kind = 'visit'
        and reference = any (${selectMatchedVisits(access, [`Encounter/${encounterId}`])})
      order by reference <> ${`Encounter/${encounterId}`}, reference limit 1`,
  );

export const MAX_NOTES = 200;

/**
 * None to whoever does not see the visits, as of a visit that there is not.
 * The beginning of each text, as much as one answer can hold: a single note may have megabytes.
 */
export const findVisitNotes = (access: RecordAccess, encounterId: string) =>
  toRecordQuery(
    access,
    sql<StoredEntry<'note'>>`
      select ${selectWithoutDetail(access)}, json_build_object('text', left(detail ->> 'text', 60000), 'unreadable', detail -> 'unreadable',
        'author', detail -> 'author', 'docStatus', detail -> 'docStatus') as detail
      from ${filterReadable(access)} and kind = 'note' and visit = any (${selectMatchedVisits(access, listVisitReferences(encounterId))})
        and ${labelBit('VISITS')}::integer & ${access.withheld} = 0
      ${newestFirst} limit ${MAX_NOTES}`,
  );
