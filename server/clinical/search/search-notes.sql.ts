import { toRecordQuery, type RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { selectEntryWithoutText, type DayRange, type StoredEntry } from '../queries/clinical.sql.ts';
import { selectSimilarIds, type SimilarIds } from '../queries/short-references.sql.ts';
import { filterReadable, isCovered } from '../queries/visible-entries.sql.ts';
import { isExcluded, queryWords, selectQueryWords, type QueryWord } from './query-words.sql.ts';
import { normalizeSearchText } from './passages.sql.ts';
import type { SearchQuery } from './search-query.ts';
import { listSpellings } from './spellings.ts';
import { buildFormsPattern } from './word-forms.ts';

/** A note without its text, and the passages of it that answer the query, the best first. */
export type MatchingNote = StoredEntry<'note'> & { passages: string[]; visitSimilarIds?: SimilarIds };

export interface NoteSearchResult {
  words: QueryWord[];
  /** Whether the matching notes hold every word; else they hold as many as any note does. */
  hasEveryWord: boolean;
  /** Newest whole days of the window. */
  dated: MatchingNote[];
  undated: MatchingNote[];
  /** Matching notes with a day inside the window. */
  inWindow: number;
  /** The newest day with a matching note below `dated`. */
  olderDay: string | null;
}

/**
 * Finds the notes that hold every word anywhere in them, whichever of their paragraphs; where none does, those that hold
 * most of them. That is decided for the whole record, so that every window of one search means the same.
 */
export const searchNotes = (access: RecordAccess, query: SearchQuery, days: DayRange) =>
  toRecordQuery(
    access,
    sql<NoteSearchResult>`
      with ${selectQueryWords(access, query)}, ${matchNotes(access, query)},
      in_window as materialized (
        select * from matching
        where day >= ${days.from}::date and (${days.before}::date is null or day < ${days.before}::date)),
      page as (select * from in_window order by day desc fetch first 40 rows with ties),
      ${selectShownNotes(access)}
      select ${queryWords} as words,
        coalesce((select max(words) from word_count) = (select count(*) from word), false) as "hasEveryWord",
        (select coalesce(json_agg(shown order by day desc, time desc nulls last, seq desc, ordinal), '[]'::json)
         from shown where day is not null) as dated,
        (select coalesce(json_agg(shown order by seq desc, ordinal), '[]'::json) from shown where day is null) as undated,
        (select count(*) from in_window) as "inWindow",
        (select max(day) from matching
         where day < coalesce((select min(day) from page), ${days.from}::date)) as "olderDay"`,
  );

/**
 * Patterns of what counts as a form of each term: its own, and words of which its stem is two thirds, as of itself. The index
 * goes by stems alone, and "medication" and "medical" are both "medic" there.
 */
const selectForms = ({ wanted }: SearchQuery): Sql => sql`
  form as materialized (
    select n, '\\y(?:' || forms || (
      select coalesce(string_agg('|' || stem || '\\w{0,' || length(stem) / 2 || '}', ''), '')
      from unnest(spellings) as spelling cross join unnest(ts_lexize('english_stem', spelling)) as stem
      where length(spelling) * 2 <= length(stem) * 3) || ')\\y' as pattern
    from json_to_recordset(${JSON.stringify(wanted.map(toForms))}::json) as asked(n integer, spellings text[], forms text)
    where forms is not null)`;

function toForms(term: string, index: number) {
  const spellings = listSpellings(term);
  return { n: index + 1, spellings, forms: buildFormsPattern(spellings) };
}

/**
 * The notes that hold most words, without those that hold an excluded word in any passage. A passage is looked through for the
 * forms of a word once, not for each of its uses.
 */
const matchNotes = (access: RecordAccess, query: SearchQuery): Sql => sql`
  ${selectForms(query)},
  note as materialized (select seq, ordinal, day from ${filterReadable(access)} and kind = 'note'),
  stemmed as materialized (
    select w.n, w.read_as = w.written as is_written, u.seq, u.ordinal, p.passage_hash, ts_rank(p.terms, w.query, 1) as weight
    from word w
    join passage p on p.patient_id = ${access.patientId} and p.terms @@ w.query and ${isCovered(access, sql`p.required_labels`)}
    join passage_use u on u.patient_id = ${access.patientId} and u.passage_hash = p.passage_hash
    join note on note.seq = u.seq and note.ordinal = u.ordinal),
  other as materialized (
    select n, passage_hash
    from (select distinct n, passage_hash from stemmed where is_written) used join form using (n)
    join passage p using (passage_hash)
    where p.patient_id = ${access.patientId} and ${normalizeSearchText(sql`concat(p.title, ' ', p.body)`)} !~* form.pattern),
  matched as materialized (select * from stemmed where (n, passage_hash) not in (select n, passage_hash from other)),
  word_count as (select seq, ordinal, count(distinct n) as words from matched group by seq, ordinal),
  matching as materialized (
    select note.*, words from word_count join note using (seq, ordinal)
    where words = (select max(words) from word_count) and not exists (
      select from passage_use u join passage p on p.patient_id = ${access.patientId} and p.passage_hash = u.passage_hash
      where u.patient_id = ${access.patientId} and u.seq = note.seq and u.ordinal = note.ordinal
        and ${isExcluded(sql`p.terms`, query)}))`;

/** The notes of the page and the undated ones, each with its three best passages. */
const selectShownNotes = (access: RecordAccess): Sql => sql`
  shown as (
    select entry.*, array(
      select p.body from (
        select passage_hash, count(*) as words, sum(weight order by n) as weight from matched
        where matched.seq = chosen.seq and matched.ordinal = chosen.ordinal group by passage_hash
        order by words desc, weight desc, passage_hash limit 3) best
      join passage p on p.patient_id = ${access.patientId} and p.passage_hash = best.passage_hash
      order by best.words desc, best.weight desc, p.passage_hash) as passages
    from (select seq, ordinal from page union all select seq, ordinal from matching where day is null) chosen
    cross join lateral (
      select ${selectEntryWithoutText(access)}, ${selectSimilarIds(access, sql`visit`)} as "visitSimilarIds" from ${filterReadable(access)}
        and seq = chosen.seq and ordinal = chosen.ordinal) entry)`;
