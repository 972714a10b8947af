import type { RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import type { Kind } from '../entries/entry.ts';
import { isFlagged } from '../queries/flagged.sql.ts';
import { isNotBegun } from '../queries/not-begun.sql.ts';
import { filterFindable, filterReadable, isCovered } from '../queries/visible-entries.sql.ts';
import { listAskedIds } from './asked-ids.ts';
import type { Vector } from './embeddings/embedder.ts';
import type { AskedAnchor, AskedSubset, AskedWindow, Question } from './question.ts';

/** What the keys of orders begin with that a drug is not to be given. */
const FORBIDDEN = 'not:';

export interface Search {
  question: Question;
  /** Only entries of these kinds; null: of all. */
  kinds: readonly Kind[] | null;
  /** YYYY-MM-DD: what begins later is not in force. */
  today: string;
  /** The question as a vector, where there is a model for it. */
  vector?: Vector | null;
  /** Of medications that are not taken any more: the keys of drugs in force that a later record ends (`findDrugEnds`). */
  endedDrugs?: readonly string[];
}

/**
 * The CTEs that `filterInScope` compares with: `event`, the last day of what the question counts time from ("before my
 * surgery"), `period`, whether the record holds anything at a time that is counted from today, and `taken`, the drugs that are
 * taken today, where those that are not are asked for.
 */
export const selectScope = (access: RecordAccess, search: Search): Sql => {
  const { anchor, window, subset } = search.question;
  return sql`
  event as materialized (${anchor === null ? sql`select null::date as day` : selectEvent(access, anchor)}),
  period as materialized (
    select ${
      window?.isRelative
        ? sql`exists (select from ${filterFindable(access)} and ${isWithin(window, true)})`
        : sql`true`
    } as has_entries)
  ${subset === 'stopped' ? sql`, taken as materialized (${selectTaken(access, search)})` : sql``}`;
};

/** As `get_medications` has what is current: no drug by an order alone that is over by its own dates, or that a later record ends. */
const selectTaken = (access: RecordAccess, { today, endedDrugs = [] }: Search): Sql => sql`
  select distinct group_key from ${filterReadable(access)} and kind = 'medication' and current
    and not ${hasEnded(today)} and not ${isNotBegun(today)} and not starts_with(group_key, ${FORBIDDEN})
    and group_key <> all (${endedDrugs}::text[])`;

const hasEnded = (today: string): Sql => sql`coalesce(end_text < left(${today}, length(end_text)), false)`;

const selectEvent = (access: RecordAccess, anchor: AskedAnchor): Sql => {
  const { named, named_wider: narrower } = listAskedIds(anchor, { people: null, kinds: [] });
  return sql`
    select max(entry.day) as day
    from passage p
    join passage_use u on u.patient_id = ${access.patientId} and u.passage_hash = p.passage_hash
    join (select seq, ordinal, day from ${filterFindable(access)} and kind <> 'note') entry
      on entry.seq = u.seq and entry.ordinal = u.ordinal
    where p.patient_id = ${access.patientId} and p.concepts && ${[...named, ...narrower]}::integer[]
      and ${isCovered(access, sql`p.required_labels`)}`;
};

/** Those of some entries among which a search looks. */
export const filterInScope = (entries: Sql, { question, kinds, today }: Search): Sql => sql`
  ${entries}
    ${kinds === null ? sql`` : sql`and kind = any (${kinds}::text[])`}
    ${question.subset === null ? sql`` : sql`and (${SUBSETS[question.subset](today)})`}
    ${question.window === null ? sql`` : sql`and (${isWithin(question.window, question.concepts.length + question.kinds.length === 0)} or ${mayBeWithin(question)} ${question.window.isRelative ? sql`or not (select has_entries from period)` : sql``})`}
    ${question.anchor === null ? sql`` : sql`and ((select day from event) is null or day ${question.anchor.side === 'before' ? sql`<` : sql`>=`} (select day from event) or ${mayBeWithin(question)})`}`;

export const isScoped = ({ question: { window, anchor, subset }, kinds }: Search): boolean =>
  kinds !== null || window !== null || anchor !== null || subset !== null;

/** Entries of other kinds are in no way limited. */
const SUBSETS: Readonly<Record<AskedSubset, (today: string) => Sql>> = {
  abnormal: () => sql`case when kind in ('lab', 'vital') then ${isFlagged(sql`detail::text`)} else true end`,
  stopped: (today) =>
    sql`kind <> 'medication' or ${isOver(today)} and group_key not in (select group_key from taken)`,
  'to-avoid': () => sql`kind <> 'medication' or starts_with(group_key, ${FORBIDDEN})`,
};

/** What is over by its status or its own dates; that a drug was dispensed, planned or forbidden ends nothing. */
const isOver = (today: string): Sql => sql`
  case when current then ${hasEnded(today)} and not ${isNotBegun(today)}
    else status in ('stopped', 'cancelled', 'completed', 'ended', 'on-hold', 'not-taken')
      and not starts_with(reference, 'MedicationDispense/')
      and (status = 'completed' or detail::text !~ '"intent":"(?:plan|proposal|option)"') end
  and not starts_with(group_key, ${FORBIDDEN})`;

/**
 * What has no date may be of any time: where a thing is asked for, it answers behind what is dated, and where only a kind is, what
 * is in force does.
 */
const mayBeWithin = ({ concepts, words, kinds }: Question): Sql =>
  concepts.length + words.length > 0
    ? sql`day is null`
    : kinds.length > 0
      ? sql`day is null and current`
      : sql`false`;

/** What began before and was still so is of a time too, but does not answer what happened then. */
const isWithin = ({ from, to }: AskedWindow, hasBegun: boolean): Sql => sql`
  (day is not null ${to === null ? sql`` : sql`and day <= ${to}::date`}
    ${from === null ? sql`` : sql`and (day >= ${from}::date ${hasBegun ? sql`` : sql`or current or end_text >= ${from}::text`})`})`;
