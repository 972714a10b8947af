import type { ResourceScope } from '../../../contract/data-categories.ts';
import { labelBit } from '../../consent/access/sensitivity-labels.ts';
import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { textArray } from '../../platform/db/array-values.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { selectPressureSource, type StoredEntry } from './clinical.sql.ts';
import {
  filterReadable,
  isShown,
  resourceIsCovered,
  selectOrganization,
  selectVisitAndOrganization,
} from './visible-entries.sql.ts';
import { isNotBegun } from './not-begun.sql.ts';
import { selectMatches } from './matches.sql.ts';
import { VITAL_NAMES, type Details, type EntryBase, type Kind } from '../entries/entry.ts';
import { selectDocumentName } from './document-name.sql.ts';
import { selectSimilarIds } from './short-references.sql.ts';
import { ENDED_STATUSES } from '../entries/course-end.ts';
import { AVERAGE_CODES } from '../entries/vital-signs.ts';
import { isValid } from './stated-values.sql.ts';

/** The part of an entry that a summary shows; no other column is read. */
type SummaryEntry<K extends Kind> = Pick<
  EntryBase,
  | 'category'
  | 'title'
  | 'dayText'
  | 'dateFrom'
  | 'endText'
  | 'status'
  | 'current'
  | 'groupKey'
  | 'organization'
  | 'informativeness'
> &
  Pick<StoredEntry<'lab'>, 'reference' | 'similarIds' | 'documentPath' | 'matches'> & { detail: Details[K] };

/** Entries of one kind that are one thing to a reader and say the same of it, represented by the fullest, else the newest. */
export type EntryGroup<K extends Kind = Kind> = SummaryEntry<K> & {
  times: number;
  /** How many of them belong to a hospital stay or an emergency that the consent covers; 0 of what is no condition. */
  stays: number;
  /** How many of them have a date, and between which days. */
  dated: number;
  firstDay: string | null;
  lastDay: string | null;
  /** The last end that one of them states, in its precision. */
  lastEnd: string | null;
  /** How many of them state no end, and have no status that says that they ended. */
  openEnds: number;
  /** All sources of its entries, and of others that state the same; null where they are those of the one that is shown. */
  sources: Pick<StoredEntry, 'organization' | 'documentPath'>[] | null;
};

/** The limit of groups of one kind in a summary. */
export const MAX_GROUPS = 2000;

/**
 * Groups are counted first, and the columns of their representatives read afterwards: carrying every entry's detail
 * through a sort took 2.3 ms of a record with 364 orders, this takes 0.6.
 */
const groupEntries = <K extends Kind>(
  access: RecordAccess,
  kind: K,
  { key, order }: { key: Sql; order: Sql },
) => sql<EntryGroup<K>>`
  select category, title, day_text as "dayText", date_from as "dateFrom", end_text as "endText", status, current,
    group_key as "groupKey", informativeness, ${selectVisitAndOrganization(access)}, reference, ${selectSimilarIds(access, sql`reference`)} as "similarIds",
    ${selectDocumentName(access, sql`document_path`)}, ${selectMatches(access)}, detail, times, stays, dated, "firstDay", "lastDay", "lastEnd", "openEnds",
    case when cardinality(organizations) + cardinality(paths) > 1 or linked is not null and times > 1 then (
      select json_agg(named order by organization, "documentPath") from (
        select unnest(organizations) as organization, '' as "documentPath" union select null, ${selectDocumentName(access, sql`path`)} from unnest(paths) as path
        union select other.organization, case when other.organization is null then other."documentPath" else '' end
        from unnest(linked) as links
        cross join json_to_recordset(find_matched_entries(${access.patientId}, links, ${access.withheld}, false))
          as other(link text, organization text, "documentPath" text) where other.link = 'same') named) end as sources
  from (
    select (array_agg(array[seq, ordinal] order by current desc, coalesce(informativeness, 0) desc, day desc nulls last,
        time desc nulls last, seq desc))[1:1] as representative,
      count(*) as times, count(day_text) as dated, min(day_text) as "firstDay", max(day_text) as "lastDay", max(end_text) as "lastEnd",
      count(*) filter (where ${mayGoOn}) as "openEnds", ${countStays(access, kind)} as stays,
      coalesce(array_agg(distinct ${selectOrganization(access)}) filter (where ${selectOrganization(access)} is not null), '{}') as organizations,
      coalesce(array_agg(distinct document_path) filter (where ${selectOrganization(access)} is null), '{}') as paths,
      array_agg(matches) filter (where matches is not null) as linked
    from ${filterReadable(access)} and kind = ${kind} group by ${key}) same
  cross join lateral (
    select * from ${filterReadable(access)} and seq = representative[1][1] and ordinal = representative[1][2]) entry
  order by current desc, ${order}, title limit ${MAX_GROUPS}`;

/** True of what has no end, and no status that says that it has ended. */
const mayGoOn: Sql = sql`
  (end_text is null and (current or status is null or status <> all (${textArray(ENDED_STATUSES)})))`;

/** How many of the entries of a group belong to a hospital stay or an emergency that the consent covers. */
const countStays = (access: RecordAccess, kind: Kind): Sql =>
  kind === 'condition'
    ? sql`count(*) filter (where ${labelBit('VISITS')}::integer & ${access.withheld} = 0 and visit = any (array(
        select reference from ${filterReadable(access)} and kind = 'visit' and ${isValid} and detail ->> 'class' ~* 'inpatient|emergency|acute')))`
    : sql`0`;

const byNewestDay = sql`"lastDay" desc nulls last`;
/** A list that is cut must hold what may be grave. */
const byCriticality = sql`detail ->> 'criticality' = 'high' desc nulls last, ${byNewestDay}`;
/** By weight: how often, then how recently, then how gravely. */
const byWeight = sql`times desc, "lastDay" desc nulls last, stays desc`;

/**
 * Finds the groups, those in force first; conditions then by their weight, allergies by their criticality. Entries that
 * differ in anything they say are groups of their own, so that what one of them says never reads as said by all: the
 * details are compared as written, which parses none.
 */
export const findGroups = <K extends 'condition' | 'allergy'>(access: RecordAccess, kind: K) =>
  toRecordQuery(
    access,
    groupEntries(access, kind, {
      key: sql`group_key, current, case when current then end_text end, detail::text`,
      order: kind === 'condition' ? byWeight : byCriticality,
    }),
  );

/**
 * Groups the medications of one drug by what they are (ordered, stated, given, dispensed), by status and by end; those in
 * force by dosage, reason, validity and a beginning to come too, and whatever says why by that. The detail of most others begins with the words that it is an order; only the rest is
 * parsed: parsing all took 0.8 ms.
 */
export const findMedicationGroups = (access: RecordAccess, today: string) =>
  toRecordQuery(
    access,
    groupEntries(access, 'medication', {
      key: sql`group_key, current, status, case when current then end_text end,
        case when current then detail ->> 'dosage' end, case when current then detail ->> 'reason' end,
        case when current then detail ->> 'validUntil' end, case when current and ${isNotBegun(today)} then coalesce(detail ->> 'begins', day_text) end,
        case when strpos(detail::text, '"none":true') > 0 then detail ->> 'note' end,
        case when strpos(detail::text, '"statusReason"') > 0 then detail ->> 'statusReason' end,
        case when strpos(detail::text, '"intent":"order"') = 0 then concat(detail ->> 'resource', ' ', detail ->> 'intent') end`,
      order: byNewestDay,
    }),
  );

export type LatestVital = Pick<
  StoredEntry<'vital'>,
  | 'category'
  | 'title'
  | 'code'
  | 'dayText'
  | 'time'
  | 'status'
  | 'organization'
  | 'reference'
  | 'similarIds'
  | 'documentPath'
  | 'source'
  | 'visit'
  | 'matches'
  | 'detail'
>;

/** Of a pressure the halves may come apart, each as an entry of its own. */
const selectNewestCount: Sql = sql`case sign.name when 'Blood Pressure' then 8 else 3 end`;

/**
 * Finds the newest valid values of each of the eight vital signs, three at least; averages only where there is no reading (US
 * Core).
 */
export const findLatestVitals = (access: RecordAccess) => {
  const selectNewest = (which: Sql): Sql => sql`
    select category, title, code, day, day_text as "dayText", time, status, ${selectVisitAndOrganization(access)}, reference,
      ${selectSimilarIds(access, sql`reference`)} as "similarIds", ${selectDocumentName(access, sql`document_path`)}, ${selectPressureSource} as "source", ${selectMatches(access)},
      detail, seq
    from ${filterReadable(access)} and vital = sign.name and ${isValid} and ${which}
    order by day desc nulls last, time desc nulls last, seq desc limit ${selectNewestCount}`;
  const isAverage = sql`code = any (${AVERAGE_CODES}::text[])`;
  return toRecordQuery(
    access,
    sql<LatestVital>`
      select category, title, code, "dayText", time, status, visit, organization, reference, "similarIds", "documentPath", "source", "matches", detail
      from unnest(${VITAL_NAMES}::text[]) with ordinality as sign (name, place)
      cross join lateral (
        (${selectNewest(sql`${isAverage} is not true`)})
        union all
        (select * from (${selectNewest(isAverage)}) averages
         where not exists (
           select from ${filterReadable(access)} and vital = sign.name and ${isValid} and ${isAverage} is not true))) newest
      order by sign.place, day desc nulls last, time desc nulls last, seq desc`,
  );
};

export interface Holding {
  kind: Kind;
  entries: number;
  undated: number;
  firstDay: string | null;
  lastDay: string | null;
  /** The same in the precision of the record: "1985", "2024-01". */
  firstText: string | null;
  lastText: string | null;
}

/** Counts the entries of each kind. */
export const findHoldings = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<Holding>`
      select kind, entries, undated, "firstDay", "lastDay",
        ${selectWritten(access, sql`"firstDay"`)} as "firstText", ${selectWritten(access, sql`"lastDay"`)} as "lastText"
      from (
        select kind, sum(entries)::bigint as entries, sum(undated)::bigint as undated,
          min(first_day) as "firstDay", max(last_day) as "lastDay"
        from record_holding where patient_id = ${access.patientId} and ${isShown(access)} group by kind) held
      order by kind`,
  );

/** A day as the entries of the kind write it, the most exact one; only the first of a month may be a month or a year. */
const selectWritten = (access: RecordAccess, held: Sql): Sql => sql`
  case when extract(day from ${held}) = 1 then coalesce(
    (select max(day_text) from ${filterReadable(access)} and clinical_entry.kind = held.kind and day = ${held}), ${held}::text)
  else ${held}::text end`;

/** The person of the record, by one of its Patient resources. */
export interface Demographics {
  category: ResourceScope;
  name: string | null;
  birthDate: string | null;
  /** Administrative gender. */
  gender: string | null;
  /** A date as written, "true", or null. */
  deceased: string | null;
}

/** A record with more Patient resources has a header that says how many were read. */
export const MAX_PATIENT_RESOURCES = 10;

const selectPatients = (access: RecordAccess): Sql => sql`
  resource r left join resource_label l on l.patient_id = ${access.patientId} and l.seq = r.seq
  where r.patient_id = ${access.patientId} and resource_type = 'Patient' and ${resourceIsCovered(access)}`;

/**
 * Finds the Patient resources of a record, in its order. Escapes that PostgreSQL refuses to read (U+0000, halves of a pair)
 * are read as "?"; of a resource too long to be read at every summary only the name is returned.
 */
export const findDemographics = (access: RecordAccess, which: Sql = sql`true`) =>
  toRecordQuery(
    access,
    sql<Demographics>`
      select category, name, body ->> 'birthDate' as "birthDate", body ->> 'gender' as gender,
        coalesce(body ->> 'deceasedDateTime', body ->> 'deceasedBoolean') as deceased
      from (
        select r.seq, category, display as name, case when length(body) <= 30000 then
          regexp_replace(body, '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\\\u003f', 'g')::json end as body
        from ${selectPatients(access)} and ${which}
        order by r.seq limit ${MAX_PATIENT_RESOURCES}) person
      order by seq`,
  );

/** Finds them only where one says that the person died: nothing is parsed for the living. */
export const findDeceased = (access: RecordAccess) =>
  findDemographics(
    access,
    sql`exists (select from ${selectPatients(access)} and strpos(body, '"deceased') > 0)`,
  );
