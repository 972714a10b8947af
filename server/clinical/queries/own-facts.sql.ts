import type { ResourceScope } from '../../../contract/data-categories.ts';
import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { selectEntryWithBeginning, type StoredEntry } from './clinical.sql.ts';
import type { Kind } from '../entries/entry.ts';
import { GROUPED_KINDS, MAX_GROUP_MEMBERS } from './details.sql.ts';
import { filterFindable, filterReadable } from './visible-entries.sql.ts';

/** An entry that stands for all that record the same. */
export type Fact = StoredEntry & {
  /** Characters of its whole text; null where it has none. */
  textLength: number | null;
  times: number;
  firstDay: string | null;
  lastDay: string | null;
};

export interface EntryKey {
  seq: number;
  ordinal: number;
}

/** Kinds of which what is the same stands once, as in listings of the tools. */
const IS_GROUPED = raw(`kind in (${GROUPED_KINDS.map((kind) => `'${kind}'`).join(', ')})`);

/**
 * What is one thing to a reader; of medications an order in force and one that is over are two, as in a summary, and what is
 * refuted or was not done is never one with what is so (`isDenied`). Without a parameter: `group by` compares expressions by
 * their parameters too.
 */
const buildFactKey = (isGrouped: Sql) => sql`
  case when ${isGrouped}
    then concat(kind, ' ', group_key, case kind
      when 'medication' then concat(' ', current, ' ', status)
      when 'procedure' then case status when 'not-done' then ' not done' end
      when 'immunization' then case detail ->> 'notDone' when 'true' then ' not done' end
      when 'condition' then case detail ->> 'verification' when 'refuted' then ' refuted' end
      when 'allergy' then case detail ->> 'verification' when 'refuted' then ' refuted' end end)
    else concat(seq, '.', ordinal) end`;

const FACT_KEY = buildFactKey(IS_GROUPED);

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
const FOUND_KEY = buildFactKey(IS_FOUND_ONCE);

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

/** Finds a page of the facts of a category, the last recorded first; each by its entry in force, else the newest. */
export const findFacts = (
  access: RecordAccess,
  page: { category: ResourceScope; limit: number; offset: number; textLength: number },
) =>
  toRecordQuery(
    access,
    sql<Fact>`
      select entry.*, times, "firstDay", "lastDay" from (
        select (array_agg(array[seq, ordinal] order by current desc, ${isGrave} desc nulls last, day desc nulls last, time desc nulls last, seq desc, ordinal))[1:1] as representative,
          count(*) as times, min(day_text) as "firstDay", max(day_text) as "lastDay",
          row_number() over (order by max(day) desc nulls last, max(time) desc nulls last, max(seq) desc, min(ordinal), ${FACT_KEY}) as place
        from ${filterReadable(access)} and category = ${page.category} group by ${FACT_KEY}
        order by place limit ${page.limit} offset ${page.offset}) fact
      cross join lateral (
        select ${selectColumns(access, page.textLength)} from ${filterReadable(access)}
          and seq = representative[1][1] and ordinal = representative[1][2]) entry
      order by place`,
  );

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
