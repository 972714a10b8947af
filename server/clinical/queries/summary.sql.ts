import type { ResourceScope } from '../../../contract/data-categories.ts';
import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import type { StoredEntry } from './clinical.sql.ts';
import { filterReadable, isCovered, isShown, selectVisitAndOrganization } from './visible-entries.sql.ts';
import { selectMatches } from './matches.sql.ts';
import { VITAL_NAMES, type Kind } from '../entries/entry.ts';

/** What a summary shows of an entry; nothing else is read. */
type SummaryEntry<K extends Kind> = Pick<
  StoredEntry<K>,
  'category' | 'title' | 'dayText' | 'endText' | 'status' | 'current' | 'groupKey' | 'organization' | 'detail'
> &
  Pick<StoredEntry, 'reference' | 'documentPath' | 'matches'>;

/** Entries of one kind that are one thing to a reader, told by the one in force, else the newest. */
export type EntryGroup<K extends Kind = Kind> = SummaryEntry<K> & {
  times: number;
  /** How many of them have a date, and between which days. */
  dated: number;
  firstDay: string | null;
  lastDay: string | null;
};

/** A summary reads this many groups of a kind. */
export const MAX_GROUPS = 400;

/**
 * Counted first, then told: carrying every entry's detail through a sort took 2.3 ms of a record with 364 orders, this
 * takes 0.6.
 */
const groupEntries = <K extends Kind>(access: RecordAccess, kind: K, key: Sql) => sql<EntryGroup<K>>`
  select category, title, day_text as "dayText", end_text as "endText", status, current, group_key as "groupKey",
    ${selectVisitAndOrganization(access)}, reference, document_path as "documentPath", ${selectMatches(access)}, detail, times, dated, "firstDay", "lastDay"
  from (
    select (array_agg(array[seq, ordinal] order by current desc, day desc nulls last, time desc nulls last, seq desc))[1:1] as told,
      count(*) as times, count(day_text) as dated, min(day_text) as "firstDay", max(day_text) as "lastDay"
    from ${filterReadable(access)} and kind = ${kind} group by ${key}) same
  cross join lateral (
    select * from ${filterReadable(access)} and seq = told[1][1] and ordinal = told[1][2]) entry
  order by current desc, "lastDay" desc nulls last, title limit ${MAX_GROUPS}`;

/** At most 400 groups, those in force first, then by their newest day. */
export const findGroups = <K extends Kind>(access: RecordAccess, kind: K) =>
  toRecordQuery(access, groupEntries(access, kind, sql`group_key`));

/**
 * Of one drug what was ordered, told, given and dispensed apart, and each of them by what became of it and by when it
 * ended. Most details say at their beginning that they are an order; only the others are parsed: parsing all took 0.8 ms.
 */
export const findMedicationGroups = (access: RecordAccess) =>
  toRecordQuery(
    access,
    groupEntries(
      access,
      'medication',
      sql`group_key, current, status, case when current then end_text end,
        case when strpos(detail::text, '"intent":"order"') = 0 then concat(detail ->> 'resource', ' ', detail ->> 'intent') end`,
    ),
  );

/** An average is no reading: it stands for a latest value only where the record holds nothing else (US Core). */
const AVERAGES = ['96607-7', '96608-5', '96609-3'].map((code) => `http://loinc.org|${code}`);

export type LatestVital = Pick<
  StoredEntry<'vital'>,
  | 'category'
  | 'title'
  | 'code'
  | 'dayText'
  | 'time'
  | 'organization'
  | 'reference'
  | 'documentPath'
  | 'matches'
  | 'detail'
>;

/** The newest three of each of the eight vital signs that hold a value. */
export const findLatestVitals = (access: RecordAccess) => {
  const selectNewest = (which: Sql): Sql => sql`
    select category, title, code, day, day_text as "dayText", time, ${selectVisitAndOrganization(access)}, reference,
      document_path as "documentPath", ${selectMatches(access)}, detail, seq
    from ${filterReadable(access)} and vital = sign.name and ${which}
    order by day desc nulls last, time desc nulls last, seq desc limit 3`;
  const isAverage = sql`code = any (${AVERAGES}::text[])`;
  return toRecordQuery(
    access,
    sql<LatestVital>`
      select category, title, code, "dayText", time, organization, reference, "documentPath", "matches", detail
      from unnest(${VITAL_NAMES}::text[]) with ordinality as sign (name, place)
      cross join lateral (
        (${selectNewest(sql`${isAverage} is not true`)})
        union all
        (select * from (${selectNewest(isAverage)}) averages
         where not exists (
           select from ${filterReadable(access)} and vital = sign.name and ${isAverage} is not true))) newest
      order by sign.place, day desc nulls last, time desc nulls last, seq desc`,
  );
};

export interface Holding {
  kind: Kind;
  entries: number;
  undated: number;
  firstDay: string | null;
  lastDay: string | null;
}

/** How much there is of each kind. */
export const findHoldings = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<Holding>`
      select kind, sum(entries)::bigint as entries, sum(undated)::bigint as undated,
        min(first_day) as "firstDay", max(last_day) as "lastDay"
      from record_holding where patient_id = ${access.patientId} and ${isShown(access)} group by kind
      order by kind`,
  );

/** Whose record it is, as one of its Patient resources says. */
export interface Demographics {
  category: ResourceScope;
  name: string | null;
  birthDate: string | null;
  /** Administrative gender. */
  gender: string | null;
}

/** More than a few are no longer one person's: the header then says how many it read. */
export const MAX_PATIENT_RESOURCES = 10;

/**
 * The Patient resources of a record, in its order. Escapes that PostgreSQL refuses to read (U+0000, halves of a pair) are
 * read as "?"; what is too long to be worth reading at every summary is told by its name alone.
 */
export const findDemographics = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<Demographics>`
      select category, name, body ->> 'birthDate' as "birthDate", body ->> 'gender' as gender
      from (
        select r.seq, category, display as name, case when length(body) <= 30000 then
          regexp_replace(body, '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\\\u003f', 'g')::json end as body
        from resource r left join resource_label n on n.patient_id = ${access.patientId} and n.seq = r.seq
        where r.patient_id = ${access.patientId} and resource_type = 'Patient'
          and ${isCovered(access, sql`coalesce(n.required_labels, -1)`)}
        order by r.seq limit ${MAX_PATIENT_RESOURCES}) person
      order by seq`,
  );
