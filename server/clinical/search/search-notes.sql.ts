import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import type { DayRange, StoredEntry } from '../queries/clinical.sql.ts';
import { filterReadable, isCovered, selectVisitAndOrganization } from '../queries/visible-entries.sql.ts';
import { selectMatches } from '../queries/matches.sql.ts';
import { sql } from '../../platform/db/sql.ts';
import type { SearchQuery } from './search-query.ts';
import { isExcluded, selectQueryWords, queryWords, type QueryWord } from './query-words.sql.ts';

/** A note without its text, and the passages of it that answer, the best first. */
export type MatchingNote = StoredEntry<'note'> & { passages: string[] };

export interface NoteSearchResult {
  words: QueryWord[];
  /** The matching notes hold every word; else as many as any note holds. */
  every: boolean;
  /** Newest whole days of the window. */
  dated: MatchingNote[];
  undated: MatchingNote[];
  /** Matching notes with a day inside the window. */
  inWindow: number;
  /** The newest day with a matching note below `dated`. */
  olderDay: string | null;
}

const noteColumns = sql`
  json_build_object('seq', seq, 'ordinal', ordinal, 'kind', kind, 'category', category, 'title', title, 'day', day,
    'dayText', day_text, 'time', time, 'visit', visit, 'organization', organization, 'reference', reference,
    'documentPath', document_path, 'matches', "matches", 'detail', json_build_object('text', null, 'unreadable', detail -> 'unreadable',
      'author', detail -> 'author'), 'passages', passages)`;

/**
 * Notes that hold every word anywhere in them, whichever of their paragraphs; where none does, those that hold most of them.
 * Which of both is decided for the whole record, so that every window of one search means the same.
 */
export const searchNotes = (access: RecordAccess, query: SearchQuery, days: DayRange) =>
  toRecordQuery(
    access,
    sql<NoteSearchResult>`
      with ${selectQueryWords(access, query)},
      note as materialized (select seq, ordinal, day from ${filterReadable(access)} and kind = 'note'),
      held as materialized (
        select w.n, u.seq, u.ordinal, p.passage_hash, ts_rank(p.terms, w.query, 1) as weight
        from word w
        join passage p on p.patient_id = ${access.patientId} and p.terms @@ w.query and ${isCovered(access, sql`p.required_labels`)}
        join passage_use u on u.patient_id = ${access.patientId} and u.passage_hash = p.passage_hash
        join note on note.seq = u.seq and note.ordinal = u.ordinal),
      count_of as (select seq, ordinal, count(distinct n) as words from held group by seq, ordinal),
      matching as materialized (
        select note.*, words from count_of join note using (seq, ordinal)
        where words = (select max(words) from count_of) and not exists (
          select from passage_use u join passage p on p.patient_id = ${access.patientId} and p.passage_hash = u.passage_hash
          where u.patient_id = ${access.patientId} and u.seq = note.seq and u.ordinal = note.ordinal
            and ${isExcluded(sql`p.terms`, query)})),
      in_window as materialized (
        select * from matching
        where day >= ${days.from}::date and (${days.before}::date is null or day < ${days.before}::date)),
      page as (select * from in_window order by day desc fetch first 40 rows with ties),
      shown as (
        select entry.*, array(
          select p.body from (
            select passage_hash, count(*) as words, sum(weight order by n) as weight from held
            where held.seq = it.seq and held.ordinal = it.ordinal group by passage_hash
            order by words desc, weight desc, passage_hash limit 3) best
          join passage p on p.patient_id = ${access.patientId} and p.passage_hash = best.passage_hash
          order by best.words desc, best.weight desc, p.passage_hash) as passages
        from (select seq, ordinal from page union all select seq, ordinal from matching where day is null) it
        join (
          select kind, category, title, day, day_text, time, ${selectVisitAndOrganization(access)}, reference, document_path, detail, seq, ordinal,
            ${selectMatches(access)}
          from ${filterReadable(access)}) entry using (seq, ordinal))
      select ${queryWords} as words,
        coalesce((select max(words) from count_of) = (select count(*) from word), false) as every,
        (select coalesce(json_agg(${noteColumns} order by day desc, time desc nulls last, seq desc, ordinal), '[]'::json)
         from shown where day is not null) as dated,
        (select coalesce(json_agg(${noteColumns} order by seq desc, ordinal), '[]'::json) from shown where day is null) as undated,
        (select count(*) from in_window) as "inWindow",
        (select max(day) from matching
         where day < coalesce((select min(day) from page), ${days.from}::date)) as "olderDay"`,
  );
