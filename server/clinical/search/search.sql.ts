import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { selectSuperseding } from '../queries/matches.sql.ts';
import { selectEntryColumns, type StoredEntry } from '../queries/clinical.sql.ts';
import { filterReadable, isCovered } from '../queries/visible-entries.sql.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import type { SearchQuery } from './search-query.ts';
import { isExcluded, selectQueryWords, queryWords, type QueryWord } from './query-words.sql.ts';
import { extractTextHash } from './passages.sql.ts';

/** A passage that answers, told by the newest entry that uses it; a note's entry comes without its text. */
export interface Hit {
  entry: StoredEntry;
  body: string;
  /** Entries that use it, and between which days. */
  times: number;
  firstDay: string | null;
  lastDay: string | null;
  /** It holds every word. */
  every: boolean;
}

export interface SearchResult {
  words: QueryWord[];
  /** Best first, at most 150. */
  hits: Hit[];
  /** Passages that answer, also those beyond the best 150. */
  total: number;
}

/**
 * Texts that hold words of the query, each once whatever its passages need, by how rare the words are that it holds and how
 * much of it they are. Sums in order of the words, so that equal ones are equal to the last bit.
 */
const selectMatchingTexts = (access: RecordAccess, query: SearchQuery): Sql => sql`
  held as materialized (
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
    select n, ln(1 + (select texts from text_count)::float8 / count(*)) as rarity from held group by n),
  share as (
    select text_hash, min(hashes) as hashes, count(*) = (select count(*) from word) as every, sum(rarity order by n) as share,
      sum(rarity * weight order by n) as score
    from held join rarity using (n) group by text_hash),
  answering as materialized (
    select * from share where share >= 0.4 * (select max(share) from share))`;

/**
 * Three orders of the passages that hold words of the query, fused by reciprocal rank (k = 60, as Cormack et al. 2009):
 * how rare the words are that it holds and how much of it they are; how close together all of them stand; how much
 * the title looks like the query. Passages that hold less than two fifths of the rarest one's share are noise: "patient"
 * stands everywhere.
 */
export const searchPassages = (access: RecordAccess, query: SearchQuery) =>
  toRecordQuery(
    access,
    sql<SearchResult>`
      with ${selectQueryWords(access, query)}, ${selectMatchingTexts(access, query)},
      candidate as (
        select a.*, p.title, p.body, word_similarity((select string_agg(taken, ' ' order by n) from word), p.title) as likeness,
          case when every then ts_rank_cd(p.terms, (
            select plainto_tsquery('english', string_agg(taken, ' ')) from word), 1) end as closeness
        from (select * from answering order by every desc, score desc, text_hash limit 400) a
        join passage p on p.patient_id = ${access.patientId} and p.passage_hash = a.hashes[1]),
      fused as (
        select *, 1.0 / (60 + rank() over (order by every desc, score desc)) + 1.0 / (60 + rank() over (order by likeness desc))
          + case when closeness is null then 0 else 1.0 / (60 + rank() over (order by closeness desc nulls last)) end as fusion
        from candidate),
      best as (select * from fused order by fusion desc, text_hash limit 150),
      used as (
        select distinct on (b.text_hash) b.text_hash, b.body, b.every, b.fusion, e.*,
          count(*) over same as times, min(e.day) over same as first_day, max(e.day) over same as last_day
        from best b
        cross join lateral (
          select distinct coalesce(better.seq, u.seq) as seq, coalesce(better.ordinal, u.ordinal) as ordinal
          from unnest(b.hashes) as its(passage_hash)
          join passage_use u on u.patient_id = ${access.patientId} and u.passage_hash = its.passage_hash
          left join lateral (${selectSuperseding(access, sql`u`)}) better on true) place
        join (
          select ${selectEntryColumns(access)} from ${filterReadable(access)}) e on e.seq = place.seq and e.ordinal = place.ordinal
        window same as (partition by b.text_hash)
        order by b.text_hash, e.day desc nulls last, e.time desc nulls last, e.seq desc, e.ordinal)
      select ${queryWords} as words, (select count(*) from answering) as total,
        (select coalesce(json_agg(json_build_object(
            'entry', json_build_object('seq', seq, 'ordinal', ordinal, 'kind', kind, 'category', category, 'title', title,
              'code', code, 'day', day, 'dayText', "dayText", 'time', time, 'endText', "endText", 'status', status,
              'current', current, 'groupKey', "groupKey", 'visit', visit, 'organization', organization,
              'reference', reference, 'documentPath', "documentPath", 'matches', "matches",
              'detail', case when kind = 'note' then json_build_object('text', null, 'unreadable', detail -> 'unreadable',
                'author', detail -> 'author') when kind = 'other' then json_build_object('type', detail -> 'type', 'text', null) else detail end),
            'body', body, 'times', times, 'firstDay', first_day, 'lastDay', last_day, 'every', every)
          order by fusion desc, last_day desc nulls last, text_hash), '[]'::json) from used) as hits`,
  );
