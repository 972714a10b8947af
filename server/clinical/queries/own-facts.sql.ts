import type { ResourceScope } from '../../../contract/data-categories.ts';
import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { selectEntryWithBeginning, type StoredEntry } from './clinical.sql.ts';
import type { Kind } from '../entries/entry.ts';
import { DIASTOLIC_CODES, SYSTOLIC_CODES } from '../entries/vital-signs.ts';
import { GROUPED_KINDS, MAX_GROUP_MEMBERS } from './details.sql.ts';
import { selectStartToCome } from './not-begun.sql.ts';
import { lacksValue, type WithoutValue } from './stated-values.sql.ts';
import { filterFindable, filterReadable } from './visible-entries.sql.ts';

/** An entry that stands for all that record the same. */
export type Fact = StoredEntry & {
  /** Characters of its whole text; null where it has none. */
  textLength: number | null;
  times: number;
  firstDay: string | null;
  lastDay: string | null;
  /** Of measurements the last one, where it came later and states no value. */
  since?: WithoutValue | null;
  /** Of a drug the first that is to be taken from a later day on. */
  next?: { day: string; dosage: string | null } | null;
  /** Of a pressure that came apart all its halves of that moment. */
  halves?: readonly PressureHalf[] | null;
};

/** An entry of one pressure, as far as it says what belongs to it. */
export type PressureHalf = Pick<
  StoredEntry<'vital'>,
  'title' | 'code' | 'dayText' | 'time' | 'status' | 'documentPath' | 'reference' | 'detail'
>;

export interface EntryKey {
  seq: number;
  ordinal: number;
}

/** Kinds of which what is the same stands once, as in listings of the tools. */
const IS_GROUPED = raw(`kind in (${GROUPED_KINDS.map((kind) => `'${kind}'`).join(', ')})`);

/** Only a detail with a part of the body is parsed. */
const SITE = sql`case when strpos(detail::text, '"bodySite":"') > 0 then concat(' of ', lower(detail ->> 'bodySite')) end`;

/**
 * What is one thing to a reader; of medications an order in force and one that is over are two, as in a summary, and what is
 * refuted or was not done is never one with what is so (`isDenied`), nor the left eye with the right one (the same as in
 * `cluster-hits.ts`). Without a parameter: `group by` compares expressions by their parameters too.
 */
const buildFactKey = (isGrouped: Sql, others: Sql) => sql`
  case when ${isGrouped}
    then concat(kind, ' ', group_key, case kind
      when 'medication' then concat(' ', current, ' ', status)
      when 'procedure' then concat(case status when 'not-done' then ' not done' end, ${SITE})
      when 'immunization' then case detail ->> 'notDone' when 'true' then ' not done' end
      when 'condition' then concat(case detail ->> 'verification' when 'refuted' then ' refuted' end, ${SITE})
      when 'allergy' then case detail ->> 'verification' when 'refuted' then ' refuted' end end)
    ${others} else concat(seq, '.', ordinal) end`;

const listCodes = (codes: readonly string[]): Sql =>
  raw(`array[${codes.map((code) => `'${code}'`).join(', ')}]`);

/** Which of the pairs of codes a systolic or a diastolic pressure alone has; null of anything else. */
const PAIR_OF_CODES = sql`coalesce(array_position(${listCodes(SYSTOLIC_CODES)}, split_part(code, '|', 2)),
  array_position(${listCodes(DIASTOLIC_CODES)}, split_part(code, '|', 2)))`;
const IS_HALF = sql`case when vital = 'Blood Pressure' then day_text is not null and ${PAIR_OF_CODES} is not null and detail ->> 'value' is not null else false end`;

const LISTED_KEY = buildFactKey(IS_GROUPED, sql``);

/** Halves of a pressure that one source states of one moment are one fact, as in a summary (`pairHalves`). */
const FACT_KEY = buildFactKey(
  IS_GROUPED,
  sql`when ${IS_HALF} then concat_ws(' ', 'pressure', ${PAIR_OF_CODES}, day_text, coalesce(time, '-'), coalesce(status, '-'),
      coalesce(source_key::text, document_path), visit, detail ->> 'performer', detail ->> 'device', detail ->> 'method', detail ->> 'bodySite', detail ->> 'position')`,
);

/** Kinds of which entries of one name are one result of a search. */
export const CLUSTERED_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  'condition',
  'medication',
  'lab',
  'vital',
  'allergy',
  'procedure',
  'immunization',
  'social_history',
  'survey',
]);

/** A search shows one of the results of a test, of measurements and of vaccines too: what it stands for is found likewise. */
const IS_FOUND_ONCE = raw(`kind in (${[...CLUSTERED_KINDS].map((kind) => `'${kind}'`).join(', ')})`);
const FOUND_KEY = buildFactKey(IS_FOUND_ONCE, sql``);

const selectColumns = (access: RecordAccess, length: number): Sql => sql`
  ${selectEntryWithBeginning(access, length)}, length(detail ->> 'text') as "textLength"`;

/** Counts what a listing shows of each category. */
export const countFacts = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<{ category: ResourceScope; facts: number }>`
      select category, count(distinct ${FACT_KEY}) as facts from ${filterReadable(access)} group by category`,
  );

/** Of the records of one allergy the gravest stands for it: a mild reaction later takes nothing from a severe one. */
const isGrave = sql`case kind when 'allergy' then detail ->> 'criticality' = 'high' end`;
/** Of the answers to one question one that says something does. */
const saysSomething = sql`case kind when 'social_history' then not ${lacksValue} end`;

const byNewest = sql`day desc nulls last, time desc nulls last, seq desc, ordinal`;

/** More of one moment are no pressures of a person. */
const MAX_HALVES = 8;

/** What a page of a category reads besides the entry that represents a fact. */
interface PageParts {
  key: Sql;
  /** Which of its entries represent a fact before newer ones. */
  first: Sql;
  /** Keys of further entries of a fact. */
  keys: Sql;
  times: Sql;
  since: Sql;
  halves: Sql;
}

const PLAIN_PARTS: PageParts = {
  key: LISTED_KEY,
  first: isGrave,
  keys: sql``,
  times: sql`times`,
  since: sql`null`,
  halves: sql`null`,
};

/** The halves of a pressure, without what other resources say of them: reading those twice took half of a short page. */
const selectHalves = (access: RecordAccess): PageParts => ({
  ...PLAIN_PARTS,
  key: FACT_KEY,
  keys: sql`(array_agg(array[seq, ordinal] order by seq, ordinal) filter (where ${IS_HALF}))[1:${raw(String(MAX_HALVES))}] as halves,`,
  times: sql`case when halves is null then times else 1 end`,
  halves: sql`(
    select json_agg(half order by (half ->> 'reference')) from generate_subscripts(halves, 1) as place
    cross join lateral (
      select json_build_object('title', title, 'code', code, 'dayText', day_text, 'time', time, 'status', status,
        'documentPath', document_path, 'reference', reference, 'detail', detail) as half
      from ${filterReadable(access)} and seq = halves[place][1] and ordinal = halves[place][2]) half)`,
});

/** What was asked last, where the answer that stands for all was given before. */
const selectLastAsked = (access: RecordAccess): PageParts => ({
  ...PLAIN_PARTS,
  first: saysSomething,
  keys: sql`(array_agg(array[seq, ordinal] order by ${byNewest}))[1:1] as newest,`,
  since: sql`(
    select json_build_object('dayText', day_text, 'time', time, 'status', status, 'absent', detail ->> 'absent', 'reference', reference)
    from ${filterReadable(access)} and newest <> representative and seq = newest[1][1] and ordinal = newest[1][2]
      and kind = 'social_history' and ${lacksValue})`,
});

const selectParts = (access: RecordAccess, category: ResourceScope): PageParts => {
  if (category === 'CLINICAL_VITALS') return selectHalves(access);
  return ASKED_CATEGORIES.has(category) ? selectLastAsked(access) : PLAIN_PARTS;
};

/** Categories of observations about a life. */
const ASKED_CATEGORIES = new Set<ResourceScope>(['SOCIAL_HISTORY', 'DEMOGRAPHICS', 'CONTACT_INFO']);

/** Finds a page of the facts of a category, the last recorded first; each by its entry in force, else by the newest. */
export const findFacts = (
  access: RecordAccess,
  page: { category: ResourceScope; limit: number; offset: number; textLength: number; today: string },
) => {
  const { key, first, keys, times, since, halves } = selectParts(access, page.category);
  const startToCome = selectStartToCome(page.today);
  return toRecordQuery(
    access,
    sql<Fact>`
      select entry.*, ${times} as times, "firstDay", "lastDay", ${since} as since, ${halves} as halves, next from (
        select (array_agg(array[seq, ordinal] order by current desc, start_to_come is null desc, ${first} desc nulls last, ${byNewest}))[1:1] as representative,
          ${keys} count(*) as times, min(day_text) as "firstDay", max(day_text) as "lastDay",
          (array_agg(json_build_object('day', start_to_come, 'dosage', detail ->> 'dosage') order by start_to_come)
            filter (where start_to_come is not null))[1] as next,
          row_number() over (order by max(day) desc nulls last, max(time) desc nulls last, max(seq) desc, min(ordinal), ${key}) as place
        from (select *, ${startToCome} as start_to_come from ${filterReadable(access)} and category = ${page.category}) entry group by ${key}
        order by place limit ${page.limit} offset ${page.offset}) fact
      cross join lateral (
        select ${selectColumns(access, page.textLength)} from ${filterReadable(access)}
          and seq = representative[1][1] and ordinal = representative[1][2]) entry
      order by place`,
  );
};

/** Finds one entry that a listing or a search shows. */
export const findFact = (access: RecordAccess, { seq, ordinal }: EntryKey, textLength: number) =>
  toRecordQuery(
    access,
    sql<Fact>`
      select ${selectColumns(access, textLength)}, 1 as times, day_text as "firstDay", day_text as "lastDay"
      from ${filterFindable(access)} and seq = ${seq} and ordinal = ${ordinal}`,
  );

/** Finds each entry that one fact of a listing or of a search stands for, newest first. */
export const findRecorded = (access: RecordAccess, { seq, ordinal }: EntryKey) =>
  toRecordQuery(
    access,
    sql<Fact>`
      select ${selectColumns(access, 0)}, 1 as times, day_text as "firstDay", day_text as "lastDay"
      from ${filterReadable(access)} and ${IS_FOUND_ONCE}
        and (category, ${FOUND_KEY}) = (
          select category, ${FOUND_KEY} from ${filterReadable(access)} and seq = ${seq} and ordinal = ${ordinal})
      order by day desc nulls last, time desc nulls last, seq desc, ordinal limit ${MAX_GROUP_MEMBERS}`,
  );
