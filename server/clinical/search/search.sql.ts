import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { selectEntryWithoutText, type StoredEntry } from '../queries/clinical.sql.ts';
import type { Kind } from '../entries/entry.ts';
import { selectSuperseding } from '../queries/matches.sql.ts';
import { filterFindable, isCovered } from '../queries/visible-entries.sql.ts';
import { extractTextHash } from './passages.sql.ts';
import { isExcluded, queryWords, selectQueryWords, type QueryWord } from './query-words.sql.ts';
import type { SearchQuery } from './search-query.ts';

/** A passage that answers the query, represented by the newest entry that uses it, which comes without its long text. */
export interface Hit {
  entry: StoredEntry;
  body: string;
  /** Entries that use it, and between which days. */
  times: number;
  firstDay: string | null;
  lastDay: string | null;
  hasEveryWord: boolean;
}

export interface SearchResult {
  words: QueryWord[];
  /** Best first, at most 150. */
  hits: Hit[];
  /** Passages that answer, also those beyond the best 150. */
  total: number;
}

/** docs/search.md goes through this statement with an example; each fragment below adds the CTEs of one step. */
export const searchPassages = (
  access: RecordAccess,
  query: SearchQuery,
  kinds: readonly Kind[] | null = null,
) =>
  toRecordQuery(
    access,
    sql<SearchResult>`
      with ${selectQueryWords(access, query)}, ${weighTexts(access, query, kinds)}, ${rankTexts(access)}, ${findNewestUses(access, kinds)}
      select ${queryWords} as words, (select count(*) from relevant) as total,
        (select coalesce(json_agg(json_build_object('entry', row_to_json(entry), 'body', body, 'times', times, 'firstDay', first_day,
            'lastDay', last_day, 'hasEveryWord', has_every_word)
          order by fusion desc, last_day desc nulls last, text_hash), '[]'::json)
         from newest_use cross join lateral (
           select ${selectEntryWithoutText(access)} from ${filterFindable(access)}
             and seq = newest_use.seq and ordinal = newest_use.ordinal) entry) as hits`,
  );

/**
 * Step 2: the texts that hold words of the query. A text that stands in passages of several masks counts once. Its score is
 * the sum, over the words it holds, of how rare the word is times how much of the text it is; sums in the order of the
 * words, so that equal scores are equal to the last bit. A text with less than two fifths of the best sum of rarities is
 * noise: "patient" stands everywhere.
 */
const weighTexts = (access: RecordAccess, query: SearchQuery, kinds: readonly Kind[] | null): Sql => sql`
  matched as materialized (
    select w.n, ${extractTextHash(sql`p.passage_hash`)} as text_hash, max(ts_rank(p.terms, w.query, 1)) as weight,
      array_agg(p.passage_hash order by p.passage_hash) as hashes
    from word w join passage p on p.patient_id = ${access.patientId} and p.terms @@ w.query
    where ${isCovered(access, sql`p.required_labels`)} and not ${isExcluded(sql`p.terms`, query)}
    group by 1, 2),
  text_count as materialized (
    select count(*) as texts from (
      select distinct ${extractTextHash(sql`passage_hash`)} from passage
      where patient_id = ${access.patientId} and ${isCovered(access, sql`required_labels`)}) readable),
  rarity as (
    select n, ln(1 + (select texts from text_count)::float8 / count(*)) as rarity from matched group by n),
  weighed as (
    select text_hash, min(hashes) as hashes, count(*) = (select count(*) from word) as has_every_word,
      sum(rarity order by n) as rarity, sum(rarity * weight order by n) as score
    from matched join rarity using (n) group by text_hash),
  relevant as materialized (
    select * from weighed where rarity >= 0.4 * (select max(rarity) from weighed) ${
      kinds === null ? sql`` : sql`and ${isUsedByKind(access, kinds)}`
    })`;

/** True for a text of `weighed` that an entry of one of the kinds uses: the best 400 are chosen among these. */
const isUsedByKind = (access: RecordAccess, kinds: readonly Kind[]): Sql => sql`
  exists (
    select from unnest(hashes) as its(passage_hash)
    join passage_use u on u.patient_id = ${access.patientId} and u.passage_hash = its.passage_hash
    join (select seq, ordinal from ${filterFindable(access)} and kind = any (${kinds}::text[])) entry
      on entry.seq = u.seq and entry.ordinal = u.ordinal)`;

/**
 * Step 3: three orders of the best 400 texts, fused by reciprocal rank (k = 60, as Cormack et al. 2009): the score; how
 * much the title looks like the query; and, of texts that hold every word, how close together the words stand.
 */
const rankTexts = (access: RecordAccess): Sql => sql`
  candidate as (
    select r.*, p.title, p.body, word_similarity((select string_agg(read_as, ' ' order by n) from word), p.title) as likeness,
      case when has_every_word then ts_rank_cd(p.terms, (
        select plainto_tsquery('english', string_agg(read_as, ' ')) from word), 1) end as closeness
    from (select * from relevant order by has_every_word desc, score desc, text_hash limit 400) r
    join passage p on p.patient_id = ${access.patientId} and p.passage_hash = r.hashes[1]),
  ranked as (
    select *, 1.0 / (60 + rank() over (order by has_every_word desc, score desc)) + 1.0 / (60 + rank() over (order by likeness desc))
      + case when closeness is null then 0 else 1.0 / (60 + rank() over (order by closeness desc nulls last)) end as fusion
    from candidate order by fusion desc, text_hash limit 150)`;

/**
 * Step 4: the entries that use each text, or the entries that are shown in their place; the newest represents all. Its
 * columns are read afterwards, for 150 entries and not for every use.
 */
const findNewestUses = (access: RecordAccess, kinds: readonly Kind[] | null): Sql => sql`
  newest_use as (
    select distinct on (text_hash) text_hash, body, has_every_word, fusion, seq, ordinal,
      count(*) over same as times, min(day) over same as first_day, max(day) over same as last_day
    from ranked
    cross join lateral (
      select distinct coalesce(better.seq, u.seq) as seq, coalesce(better.ordinal, u.ordinal) as ordinal
      from unnest(ranked.hashes) as its(passage_hash)
      join passage_use u on u.patient_id = ${access.patientId} and u.passage_hash = its.passage_hash
      left join lateral (${selectSuperseding(access, sql`u`)}) better on true) shown
    join (select seq, ordinal, day, time from ${filterFindable(access)} ${kinds === null ? sql`` : sql`and kind = any (${kinds}::text[])`}) entry using (seq, ordinal)
    window same as (partition by text_hash)
    order by text_hash, day desc nulls last, time desc nulls last, seq desc, ordinal)`;
