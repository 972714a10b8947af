import { labelBit } from '../../consent/access/sensitivity-labels.ts';
import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import type { Entry, Kind, VitalName } from '../entries/entry.ts';
import type { ContextFact } from '../entries/entry-link.ts';
import { RECORD_KINDS } from '../entries/other-kinds.ts';
import { filterReadable, isCovered, selectVisitAndOrganization } from './visible-entries.sql.ts';
import { selectContext } from './context.sql.ts';
import { selectMatchedVisits, selectMatches, type MatchedEntry } from './matches.sql.ts';
import { MARKS, type TestFilter } from './lab-tests.ts';
import { selectDocumentName } from './document-name.sql.ts';
import { selectSimilarIds, selectVisitNames, type SimilarIds } from './short-references.sql.ts';

/** An entry and where it stands in the record. */
export type StoredEntry<K extends Kind = Kind> = Extract<Entry, { kind: K }> & {
  seq: number;
  ordinal: number;
  /** `Type/id`. */
  reference: string;
  similarIds?: SimilarIds;
  documentPath: string;
  /** The key of the source of a blood pressure, where it has one. */
  source?: string | null;
  /** The entries of other sources about the same fact; null for most. */
  matches?: MatchedEntry[] | null;
  /** What other resources say about it, as far as the consent covers them; null for most. */
  context?: ContextFact[] | null;
};

/** Which entries a history shows. */
export interface EntryFilter<K extends Kind = Kind> {
  kind: K;
  /** Which of them are shown whatever their date. */
  alwaysShown: 'none' | 'current' | 'all';
  /** Only these vital signs. */
  vitals?: readonly VitalName[] | undefined;
  /** Only these laboratory tests, by themselves, as a component or as a panel. */
  tests?: TestFilter | undefined;
  /** The notes too, without their texts: of documents. */
  withNotes?: boolean | undefined;
}

/** [from, before), in written calendar days; without `before` there is no upper bound. */
export interface DayRange {
  from: string;
  before: string | null;
}

/** By which the halves of a pressure are joined; a document by itself is known by its path. */
export const selectPressureSource: Sql = sql`case when vital = 'Blood Pressure' then source_key end`;

/**
 * One convention for rows: a query returns snake_case columns, and its file maps them once. Queries on a record are the
 * exception: `readRecord` puts several of them into one statement and gets each answer as JSON, so their columns have the
 * names of the type they become, and there is nothing left to map.
 */
const selectWithoutDetail = (access: RecordAccess): Sql => sql`
  seq, ordinal, kind, category, title, code, day, day_text as "dayText", time, end_text as "endText", status, current,
  group_key as "groupKey", date_from as "dateFrom", informativeness, ${selectVisitAndOrganization(access)}, reference,
  ${selectSimilarIds(access, sql`reference`)} as "similarIds", ${selectDocumentName(access, sql`document_path`)}, ${selectPressureSource} as "source",
  ${selectMatches(access)},
  ${selectContext(access)}`;

export const selectEntryColumns = (access: RecordAccess): Sql => sql`${selectWithoutDetail(access)}, detail`;

/** The columns of an entry, of a note with so many characters of its text: a single one may have megabytes. */
export const selectEntryWithBeginning = (
  access: RecordAccess,
  length: number,
): Sql => sql`${selectWithoutDetail(access)},
  case when kind = 'note' then json_build_object('text', left(nullif(detail ->> 'text', ''), ${length}), 'unreadable', detail -> 'unreadable',
    'author', detail -> 'author', 'docStatus', detail -> 'docStatus') else detail end as detail`;

/** The columns of an entry for answers that show passages of its text. */
export const selectEntryWithoutText = (access: RecordAccess): Sql => sql`${selectWithoutDetail(access)},
  case
    when kind = 'note' then json_build_object('text', null, 'unreadable', detail -> 'unreadable', 'author', detail -> 'author',
      'docStatus', detail -> 'docStatus')
    when kind = any (${RECORD_KINDS}::text[]) then json_build_object('type', detail -> 'type', 'text', null)
    else detail end as detail`;

/** Newest first; what happened on one day in reverse order too, then as recorded. */
const byNewest = sql`day desc nulls last, time desc nulls last, seq desc, ordinal`;
const newestFirst = sql`order by ${byNewest}`;

const filterEntries = (access: RecordAccess, filter: EntryFilter): Sql => sql`
  ${filterReadable(access)} and ${filter.withNotes ? sql`kind in (${filter.kind}, 'note')` : sql`kind = ${filter.kind}`}
    ${filter.vitals === undefined ? sql`` : sql`and detail ->> 'vital' = any (${filter.vitals}::text[])`}
    ${filter.tests === undefined ? sql`` : filterTests(access, filter.tests)}`;

/** Entries that have one of the codes, or one of the names in their own, their panel's or a component's. */
const filterTests = (access: RecordAccess, { codes, names }: TestFilter): Sql => sql`
  and (split_part(code, '|', 2) = any (${codes}::text[])
    or ${holdsName(sql`title`, names)} or exists (
      select from entry_context c, jsonb_array_elements(c.facts) as fact
      where c.patient_id = ${access.patientId} and c.seq = clinical_entry.seq and c.ordinal = clinical_entry.ordinal
        and fact ->> 'role' = 'panel' and ${isCovered(access, sql`(fact ->> 'needs')::integer`)} and ${holdsName(sql`fact ->> 'title'`, names)})
    or exists (
      select from json_array_elements(detail -> 'components') as part
      where split_part(part ->> 'code', '|', 2) = any (${codes}::text[]) or ${holdsName(sql`part ->> 'label'`, names)}))`;

/** The text is written anew once (`offset 0`), not for each name. */
const holdsName = (text: Sql, names: readonly string[]): Sql => sql`
  exists (
    select from (select ' ' || trim(regexp_replace(lower(${text}), ${MARKS}, ' ', 'g')) || ' ' as words offset 0) written,
      unnest(${names}::text[]) as name
    where strpos(words, name) > 0)`;

const ALWAYS_SHOWN: Readonly<Record<EntryFilter['alwaysShown'], Sql>> = {
  none: sql`false`,
  current: sql`current`,
  all: sql`true`,
};
const isAlwaysShown = ({ alwaysShown }: EntryFilter): Sql => ALWAYS_SHOWN[alwaysShown];

/** The limit of one query. A window ends at the border of a day, so ties come too; it continues in the next answer. */
const MAX_ENTRIES = 1500;

const selectListed = (access: RecordAccess, filter: EntryFilter): Sql =>
  filter.withNotes ? selectEntryWithBeginning(access, 0) : selectEntryColumns(access);

/** What the whole record says of what is in force, whatever the window. */
export interface GroupInForce {
  groupKey: string;
  /** The last day on which it was recorded as so. */
  lastDay: string | null;
  /** How many records deny it (a refuted condition, a drug not taken), and the last day of these. */
  denials: number;
  lastDenial: string | null;
  /** Of a condition the parts of the body that the denials are about, with the days of these; null: of all of it. */
  deniedSites: readonly { site: string | null; day: string | null }[] | null;
  /** Nothing confirms it since the day that was asked for: perhaps nobody closed it. */
  isStale: boolean;
  /** Of medications: the orders and statements that are over, and the first and last day of those. */
  pastOrders: number;
  pastStatements: number;
  firstPast: string | null;
  lastPast: string | null;
  /** The last end that one of these states. */
  lastPastEnd: string | null;
  datedPast: number;
}

/** True of a condition or an allergy that is ruled out. Only a detail with the word is parsed. */
export const isRefuted: Sql = sql`
  (strpos(detail::text, 'refuted') > 0 and detail ->> 'verification' = 'refuted')`;

/**
 * Finds the groups of which an entry is in force. For conditions and medications; an allergy is recorded once. Whether an entry
 * denies it is read once (`offset 0`), not for each figure.
 */
export const findGroupsInForce = (
  access: RecordAccess,
  kind: Kind,
  { today, staleBefore }: { today: string; staleBefore: string },
) => {
  // An end in the future is none yet, in the precision it was written with.
  const isPast = sql`(case when current then end_text < left(${today}, length(end_text))
      else status in ('completed', 'stopped', 'cancelled', 'ended') end)
    and split_part(reference, '/', 1) in ('MedicationRequest', 'MedicationStatement')`;
  const isDenial = kind === 'condition' ? isRefuted : sql`(status is not distinct from 'not-taken')`;
  const deniedSites =
    kind === 'condition'
      ? sql`json_agg(json_build_object('site', site, 'day', day_text) order by day, day_text) filter (where denied)`
      : sql`null::json`;
  // A dose that was not given confirms as little.
  const isConfirmed =
    kind === 'condition'
      ? sql`not denied`
      : sql`(status is null or status not in ('not-taken', 'not-done', 'declined'))`;
  return toRecordQuery(
    access,
    sql<GroupInForce>`
      select group_key as "groupKey", max(day_text) filter (where ${isConfirmed}) as "lastDay",
        coalesce(max(day) filter (where ${isConfirmed}) < ${staleBefore}::date, false) as "isStale",
        count(*) filter (where denied) as denials, max(day_text) filter (where denied) as "lastDenial",
        ${deniedSites} as "deniedSites",
        count(*) filter (where ${isPast} and reference like 'MedicationRequest/%') as "pastOrders",
        count(*) filter (where ${isPast} and reference like 'MedicationStatement/%') as "pastStatements",
        count(day_text) filter (where ${isPast}) as "datedPast",
        min(day_text) filter (where ${isPast}) as "firstPast", max(day_text) filter (where ${isPast}) as "lastPast",
        max(end_text) filter (where ${isPast}) as "lastPastEnd"
      from (
        select group_key, day, day_text, end_text, status, reference, current, coalesce(${isDenial}, false) as denied,
          case when ${isDenial} then detail ->> 'bodySite' end as site
        from ${filterReadable(access)} and kind = ${kind}
        offset 0) each_once
      group by group_key having bool_or(current)`,
  );
};

const filterWindow = (access: RecordAccess, filter: EntryFilter, days: DayRange): Sql => sql`
  ${filterEntries(access, filter)} and not ${isAlwaysShown(filter)}
    and day >= ${days.from}::date ${days.before === null ? sql`` : sql`and day < ${days.before}::date`}`;

/** Why a history shows an entry: whatever the window, or because its day is in it, or because it has none. */
export type HistoryEntry<K extends Kind = Kind> = StoredEntry<K> & {
  part: 'alwaysShown' | 'dated' | 'undated';
  /** How many there are of what is shown whatever its date, with a date or without, and of what has none: more than are read. */
  partSize: number | null;
};

/**
 * Finds what a history shows, the newest first: what is shown whatever the window, unless it began after it; the newest
 * whole days of the window; and what has no day. 1,500 entries fill several answers, and all entries of the last day come
 * along, so that the next answer starts at a day's border. The columns are read once for all of them: a statement
 * is set up anew for each call, which took as long for these columns as reading a short history.
 */
export const findHistory = <K extends Kind>(access: RecordAccess, filter: EntryFilter<K>, days: DayRange) => {
  const parts = [
    filter.alwaysShown === 'none' ? null : selectAlwaysShown(access, filter, days),
    filter.alwaysShown === 'none' ? null : selectUndatedInForce(access, filter),
    filter.alwaysShown === 'all' ? null : selectWindow(access, filter, days),
    filter.alwaysShown === 'all' ? null : selectUndated(access, filter),
  ].filter((part) => part !== null);
  return toRecordQuery(
    access,
    sql<HistoryEntry<K>>`
      select part, part_size as "partSize", ${selectListed(access, filter)}
      from (${parts.reduce((all, part) => sql`${all} union all ${part}`)}) clinical_entry
      ${newestFirst}`,
  );
};

/** Of a day all, as of the window: what does not fit an answer goes on at a day's border. */
const selectAlwaysShown = (access: RecordAccess, filter: EntryFilter, { before }: DayRange): Sql => sql`
  (select *, 'alwaysShown' as part, count(*) over () as part_size from ${filterEntries(access, filter)} and ${isAlwaysShown(filter)}
     and day is not null ${before === null ? sql`` : sql`and day < ${before}::date`}
   order by day desc fetch first ${raw(String(MAX_ENTRIES))} rows with ties)`;

/** Of what is in force and has no date, that which may be grave is read first: allergies. */
const selectUndatedInForce = (access: RecordAccess, filter: EntryFilter): Sql => sql`
  (select *, 'alwaysShown' as part, count(*) over () as part_size from ${filterEntries(access, filter)} and ${isAlwaysShown(filter)}
     and day is null
   order by ${filter.alwaysShown === 'all' ? sql`current desc, detail ->> 'criticality' = 'high' desc nulls last,` : sql``}
     ${byNewest} limit ${MAX_ENTRIES})`;

const selectWindow = (access: RecordAccess, filter: EntryFilter, days: DayRange): Sql => sql`
  (select *, 'dated' as part, null::bigint as part_size from ${filterWindow(access, filter, days)}
   order by day desc fetch first ${raw(String(MAX_ENTRIES))} rows with ties)`;

const selectUndated = (access: RecordAccess, filter: EntryFilter): Sql => sql`
  (select *, 'undated' as part, count(*) over () as part_size from ${filterEntries(access, filter)} and not ${isAlwaysShown(filter)} and day is null
   ${newestFirst} limit ${MAX_ENTRIES})`;

/** Finds the newest day before what `findHistory` returns of the window: before its last day where it is full, else before the window. */
export const findOlderDay = (access: RecordAccess, filter: EntryFilter, days: DayRange) =>
  toRecordQuery(
    access,
    sql<{ day: string | null }>`
      select max(day) as day from ${filterEntries(access, filter)} and not ${isAlwaysShown(filter)}
        and day < coalesce((
          select day from ${filterWindow(access, filter, days)}
          order by day desc offset ${raw(String(MAX_ENTRIES - 1))} limit 1), ${days.from}::date)`,
  );

/** Finds the visit, or the one that is shown in its place. */
export const findVisit = (access: RecordAccess, encounterId: string) =>
  toRecordQuery(
    access,
    sql<StoredEntry<'visit'>>`
      select ${selectEntryColumns(access)} from ${filterReadable(access)} and kind = 'visit'
        and reference = any (${selectMatchedVisits(access, selectVisitNames(access, encounterId))})
      order by not starts_with(reference, ${`Encounter/${encounterId}`}), reference limit 1`,
  );

const MAX_NOTES = 200;

export type VisitNote = StoredEntry<'note'> & {
  /** Characters of the whole text; null where it can't be read. */
  textLength: number | null;
  /** How many notes the visit has. */
  noteCount: number;
};

/**
 * Finds the notes of a visit; none where the consent withholds visits, as for a visit that does not exist. Of each text
 * as much as one answer can hold: a single note may have megabytes.
 */
export const findVisitNotes = (access: RecordAccess, encounterId: string) =>
  toRecordQuery(
    access,
    sql<VisitNote>`
      select ${selectEntryWithBeginning(access, 44_000)}, length(nullif(detail ->> 'text', '')) as "textLength",
        count(*) over () as "noteCount"
      from ${filterReadable(access)} and kind = 'note' and visit = any (${selectMatchedVisits(access, selectVisitNames(access, encounterId))})
        and ${labelBit('VISITS')}::integer & ${access.withheld} = 0
      ${newestFirst} limit ${MAX_NOTES}`,
  );
