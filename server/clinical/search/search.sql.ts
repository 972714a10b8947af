import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { selectEntryWithoutText, type StoredEntry } from '../queries/clinical.sql.ts';
import { selectSuperseding } from '../queries/matches.sql.ts';
import { selectStartToCome } from '../queries/not-begun.sql.ts';
import { filterFindable, filterRepresented } from '../queries/visible-entries.sql.ts';
import { passageIsCovered } from './covered-passages.sql.ts';
import { asksForDrugs } from './asked-ids.ts';
import { findRivals, selectRivals } from './rival-values.sql.ts';
import { orderByValue, selectRange, selectValue, type ValueRange } from './extreme-values.sql.ts';
import { DISPUTED, isReadable, matchPassages, OF_ILLNESS, selectItems } from './asked-items.sql.ts';
import { extractTextHash } from './passages.sql.ts';
import { queryWords, type QueryWord } from './query-words.sql.ts';
import type { Question } from './question.ts';
import { filterInScope, isScoped, selectScope, type Search } from './search-scope.sql.ts';

/** How a text answers the question: larger is better, 0 not at all, null where there is nothing to compare. */
export interface Tiers {
  /** Whether it holds every word and phrase as asked. */
  hasEveryWord: boolean;
  /** Whether it meets all that is asked for, by words or by concepts. */
  isWhole: boolean;
  /** Whether it mentions something that is asked for, and also denies it or says it of somebody else. */
  isDisputed: boolean;
  words: number;
  equal: number;
  narrower: number;
  related: number;
  /** How much of what is asked for it meets: sums of the rarity of words and concepts. */
  met: number;
  /** How much its title looks like the query. */
  likeness: number;
  /** How close together the words stand. */
  closeness: number | null;
}

/** A passage that answers the question, represented by an entry that uses it, which comes without its long text. */
export interface Hit {
  /** The newest, or the oldest where the question asks for that. */
  entry: StoredEntry;
  body: string;
  /** Entries that use it, and between which days. */
  times: number;
  firstDay: string | null;
  lastDay: string | null;
  /** The last end that one of them states, in its precision. */
  lastEnd: string | null;
  /** Whether any of them is in force. */
  isCurrent: boolean;
  /** Of a drug the first day from which on one of them is to be taken that has not begun. */
  begins: string | null;
  /** Of the values of all entries that use it. */
  range: ValueRange;
  /** Entries that write the same measurement otherwise at the same time; null: none. */
  rivals: StoredEntry[] | null;
  tiers: Tiers;
}

/** An entry whose text has the concept of this number (from 1) beside a negation. */
export interface Negation {
  n: number;
  /** What it may mean of which the text says so, by `toMention`. */
  mentions: number[];
  entry: Pick<StoredEntry, 'category' | 'day' | 'dayText'>;
}

export interface SearchResult {
  words: QueryWord[];
  /** The numbers (from 1) of the concepts that something in the record is, or is narrower than. */
  foundConcepts: number[];
  /** Of these the symptoms that nothing in the record says, but which an illness in it may have. */
  impliedConcepts: number[];
  /** Those that nothing says, and that a text names beside a negation ("Denies …", but "Cannot rule out …" too). */
  negations: Negation[];
  /** The day of the event that the question counts time from. */
  eventDay: string | null;
  /** False where the question's time is counted from today and the record holds nothing of it: then all of it was searched. */
  hasPeriod: boolean;
  /** At most `MAX_HITS`, in no order: `rankHits` gives it. */
  hits: Hit[];
}

export const MAX_HITS = 150;

/** docs/search.md goes through this statement with an example; each fragment below adds the CTEs of one step. */
export const searchPassages = (access: RecordAccess, search: Search) =>
  toRecordQuery(
    access,
    sql<SearchResult>`
      with ${selectScope(access, search)}, ${selectItems(access, search)}, ${matchPassages(access, search)},
        ${weighTexts(access, search)}, ${pickTexts(access)}, ${findUses(access, search)}, ${findRivals(access, search)}
      select ${queryWords} as words, (select day from event) as "eventDay",
        (select has_entries from period) as "hasPeriod",
        (select coalesce(json_agg(n order by n), '[]'::json) from rarity where is_concept and texts > 0) as "foundConcepts",
        (select coalesce(json_agg(n order by n), '[]'::json) from unsaid where is_implied) as "impliedConcepts",
        ${selectNegations(access, search)} as negations,
        (select coalesce(json_agg(json_build_object('entry', row_to_json(entry), 'body', body, 'times', times, 'firstDay', first_day,
            'lastDay', last_day, 'lastEnd', last_end, 'isCurrent', is_current, 'begins', begins, 'range', range, 'rivals', ${selectRivals(access)}, 'tiers', json_build_object('hasEveryWord', has_every_word, 'isWhole', is_whole, 'isDisputed', is_disputed, 'words', words,
            'equal', equal, 'narrower', narrower, 'related', related, 'met', met, 'likeness', likeness, 'closeness', closeness))
          order by text_hash), '[]'::json)
         from representative cross join lateral (
           select ${selectEntryWithoutText(access)} from ${filterFindable(access)}
             and seq = representative.seq and ordinal = representative.ordinal) entry) as hits`,
  );

/** Any entry will do: a complaint that is asked about at each visit stands beside a negation in thousands. */
const selectNegations = (access: RecordAccess, search: Search): Sql => sql`
  (select coalesce(json_agg(json_build_object('n', n, 'mentions', mentions, 'entry', entry) order by n), '[]'::json)
   from unsaid cross join lateral (
     select row_to_json(entry) as entry, array(select unnest(p.concepts) intersect select unnest(unsaid.denied)) as mentions
     from passage p
     join passage_use u on u.patient_id = ${access.patientId} and u.passage_hash = p.passage_hash
     cross join lateral (
       select category, day, day_text as "dayText"
       from ${filterInScope(filterFindable(access), search)} and seq = u.seq and ordinal = u.ordinal offset 0) entry
     where p.concepts && unsaid.denied and ${isReadable(access, search)} limit 1) negated)`;

/**
 * Step 3: the texts that answer enough. A text that stands in passages of several masks counts once. What it meets is the sum
 * of the rarities of the concepts and words it holds, in their order, so that equal sums are equal to the last bit.
 *
 * Where the question names concepts, a text that holds none of them is no answer, whichever other words it holds; a related
 * one (the test of a condition, the drug that treats it) only beside something that is meant itself. Of what the best meets two
 * fifths are met.
 */
const weighTexts = (access: RecordAccess, search: Search): Sql => sql`
  matched as materialized (
    select n, ${extractTextHash(sql`passage_hash`)} as text_hash, (array_agg(passage_hash order by passage_hash))[1] as passage_hash, max(words) as words, max(equal) as equal, max(narrower) as narrower,
      max(related) as related, max(words) > 0 or max(equal) > 0 or max(narrower) > 0 as is_met
    from (${isScoped(search) ? selectScoped(access, search) : sql`select * from hit`}) hits group by 1, 2),
  text_count as materialized (
    select count(*) as texts from (
      select distinct ${extractTextHash(sql`passage_hash`)} from passage
      where patient_id = ${access.patientId} and ${passageIsCovered(access)}) readable),
  rarity as materialized (
    select i.n, i.weight, i.is_concept, count(m.n) as texts,
      i.weight * ln(1 + (select texts from text_count)::float8 / greatest(count(m.n), 1)) as rarity
    from item i left join matched m on m.n = i.n and m.is_met group by 1, 2, 3),
  unsaid as materialized (
    select a.n, a.denied, coalesce(bool_or(is_met), false) as is_implied
    from asked a left join matched m on m.n = a.n
    group by 1, 2 having coalesce(bool_and(words = 0 and equal = 0 and narrower in (0, ${OF_ILLNESS}, ${OF_ILLNESS} / 2)), true)),
  weighed as materialized (
    select text_hash, (array_agg(passage_hash order by passage_hash))[1] as passage_hash,
      count(*) filter (where words > 0) = (select count(*) from item) as has_every_word,
      count(*) filter (where is_met) = (select count(*) from item) as is_whole,
      count(*) filter (where is_met or related >= 1) >= (select count(*) from item where is_concept or weight >= 0.3) as is_near, bool_or(n = -1) as is_in_scope,
      coalesce(bool_or(equal = ${DISPUTED}), false) as is_disputed,
      coalesce(bool_or(is_concept ${isList(search.question) ? sql`or weight >= ${MIN_LISTED_WEIGHT}::float8` : sql``}) filter (where is_met), false) as is_meant,
      coalesce(sum(rarity order by n) filter (where is_met), 0) as met,
      coalesce(sum(rarity.weight) filter (where is_met), 0) as met_weight, sum(rarity * words order by n) as words,
      sum(rarity * equal order by n) as equal, sum(rarity * narrower order by n) as narrower, sum(rarity * related order by n) as related
    from matched left join rarity using (n) group by text_hash),
  goal as materialized (
    select (select bool_or(is_concept) from item) as has_concept, (select bool_and(texts > 0) from rarity) as is_all_there,
      (select sum(case when is_concept or texts > 0 then rarity else 0.4 * rarity end) from rarity) as rarity,
      (select sum(weight) from item) as weight, (select max(met) from weighed where is_meant or not (select bool_or(is_concept) from item)) as best),
  judged as materialized (
    select weighed.*, coalesce((is_meant or not has_concept) and met >= 0.4 * goal.best ${isFloored(search)}, false) as is_answer
    from weighed, goal),
  relevant as materialized (
    select * from judged
    where (is_answer or not is_meant and related > 0
        and ((select bool_or(is_answer) from judged) or is_near or ${asksForDrugs(search.question.kinds)}))
      ${isScoped(search) ? sql`and is_in_scope` : sql``})`;

/** More things are a list of which any is wanted. */
const MAX_JOINED = 4;
const isList = ({ concepts, words }: Pick<Question, 'concepts' | 'words'>): boolean =>
  concepts.length + words.length > MAX_JOINED;

/** In a list a clinical word answers by itself, as a concept does. */
const MIN_LISTED_WEIGHT = 0.5;

const PLACE_FLOOR = 0.5;
const FLOOR = 0.3;

/**
 * Of a few things that are asked for together a share is to be met where the record does not hold all of them: "prostate
 * cancer screening" is not any screening. A body part says which of the others is meant: then half of the
 * weights are, so that "knee surgery" is not any surgery, and a pacemaker in the chest is any pacemaker.
 */
const isFloored = ({ question: { concepts, words } }: Search): Sql => {
  if (isList({ concepts, words })) return sql``;
  const places = concepts.filter(({ readAs }) => readAs.every(({ kind }) => kind === 'body-parts'));
  const isPlaced = places.length > 0 && places.length < concepts.length;
  const share = isPlaced
    ? sql`met_weight >= ${PLACE_FLOOR}::float8 * goal.weight`
    : sql`met >= ${FLOOR}::float8 * goal.rarity`;
  return sql`and (is_all_there or ${share})`;
};

/** The hits with a mark (n −1) at those that an entry in scope uses: the best 400 are chosen among these. */
const selectScoped = (access: RecordAccess, search: Search): Sql => sql`
  select * from hit
  union all
  select distinct -1, h.passage_hash, 0::float8, 0::float8, 0::float8, 0::float8
  from (select distinct passage_hash from hit) h
  join passage_use u on u.patient_id = ${access.patientId} and u.passage_hash = h.passage_hash
  join (select seq, ordinal from ${filterInScope(filterRepresented(access), search)}) entry on entry.seq = u.seq and entry.ordinal = u.ordinal`;

/**
 * Step 4: the best 400 texts by all tiers together, what is compared of their words, and the best 150 of these. Texts of
 * entries that stand for others under another consent are passed over one by one, until there are 400.
 */
const pickTexts = (access: RecordAccess): Sql => sql`
  asked_text as materialized (
    select string_agg(written, ' ' order by n) as text
    from (select n, name as written from asked union all select 100 + n, read_as from word) part),
  candidate as (
    select r.*, p.title, p.body, word_similarity((select text from asked_text), p.title) as likeness,
      case when has_every_word then ts_rank_cd(p.terms, plainto_tsquery('english', (select text from asked_text)), 1) end as closeness
    from (
      select scored.* from (
        select *, 3 * equal + 2.5 * narrower + related + 3 * words + case when has_every_word then 1 else 0 end as score
        from relevant order by score desc, text_hash) scored
      cross join lateral (
        select from passage_use u
        cross join lateral (
          select from ${filterRepresented(access)} and seq = u.seq and ordinal = u.ordinal offset 0) entry
        where u.patient_id = ${access.patientId} and u.passage_hash between text_hash and text_hash || '\\xffffffffffffffff'::bytea
        limit 1) used_text
      order by score desc, text_hash limit 400) r
    join passage p on p.patient_id = ${access.patientId} and p.passage_hash = r.passage_hash),
  picked as (select * from candidate order by score desc, likeness desc, text_hash limit ${MAX_HITS})`;

/**
 * Step 5: the entries that use each text, or the entries that are shown in their place; the newest represents all, but no drug
 * that is to come one that is taken now. Its
 * columns are read afterwards, for 150 entries and not for every use. `is true` has the picked texts looked up in a
 * hash: as a join each hit was compared with each of them, two thirds of the time of a word that 30,000 texts hold.
 */
const findUses = (access: RecordAccess, search: Search): Sql => {
  const direction = search.question.order === 'oldest' ? sql`asc` : sql`desc`;
  return sql`
  used as materialized (
    select distinct ${extractTextHash(sql`passage_hash`)} as text_hash, passage_hash from hit
    where (${extractTextHash(sql`passage_hash`)} in (select text_hash from picked)) is true),
  representative as (
    select distinct on (text_hash) picked.*, seq, ordinal, count(*) over same as times, min(day) over same as first_day,
      max(day) over same as last_day, max(end_text) over same as last_end, bool_or(current and start_to_come is null) over same as is_current,
      min(start_to_come) over same as begins, ${selectRange}
    from picked
    cross join lateral (
      select distinct coalesce(better.seq, u.seq) as seq, coalesce(better.ordinal, u.ordinal) as ordinal
      from used
      join passage_use u on u.patient_id = ${access.patientId} and u.passage_hash = used.passage_hash
      left join lateral (${selectSuperseding(access, sql`u`)}) better on true
      where used.text_hash = picked.text_hash) shown
    join (select seq, ordinal, day, time, end_text, current, informativeness, ${selectStartToCome(search.today)} as start_to_come, ${selectValue(search.question)} from ${filterInScope(filterFindable(access), search)}) entry using (seq, ordinal)
    window same as (partition by text_hash)
    order by text_hash, ${orderByValue(search.question)} start_to_come is not null and bool_or(current and start_to_come is null) over same, day ${direction} nulls last, informativeness desc, time ${direction} nulls last, seq ${direction}, ordinal)`;
};
