import type { RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { passageIsCovered } from './covered-passages.sql.ts';
import { normalizeSearchText } from './passages.sql.ts';
import type { SearchQuery } from './search-query.ts';
import { listSpellings } from './spellings.ts';

/** How a word was read: as written, or as the word of a title that it nearly is. */
export interface QueryWord {
  written: string;
  readAs: string;
  /** Somewhere in the record. */
  found: boolean;
}

/**
 * Both searches begin with these CTEs, of which they use `word (n, written, read_as, query, found)`: the words that mean
 * something (stop words don't), in British and in American spelling, each misspelled one replaced by the most similar word of the record's titles. Similarity
 * 0.4 reads "metfromin" (0.43) as metformin. Titles only, since they name what people look for and hold few misspellings
 * themselves. Words that only passages beyond the consent hold count as not found.
 */
export const selectQueryWords = (access: RecordAccess, { wanted }: SearchQuery): Sql => sql`
  written as materialized (
    select n, term as written, (
      select string_agg('(' || query::text || ')', ' | ')::tsquery
      from (select distinct phraseto_tsquery('english', ${normalizeSearchText(sql`spelling`)}) as query from unnest(spellings) as spelling) spelled
      where numnode(query) > 0) as query
    from json_to_recordset(${JSON.stringify(wanted.map(toSpelled))}::json) as asked(n integer, term text, spellings text[])),
  known as materialized (
    select w.*, exists (
      select from passage p
      where p.patient_id = ${access.patientId} and p.terms @@ w.query and ${passageIsCovered(access, 'p')}) as found
    from written w where numnode(w.query) > 0),
  vocabulary as materialized (
    select distinct part as word
    from (
      select regexp_split_to_table(title, '[^[:alpha:]]+') as part
      from (
        select distinct lower(title) as title from passage
        where patient_id = ${access.patientId} and ${passageIsCovered(access)}
          and exists (select from known where not found)) titles) parts
    where length(part) >= 4),
  word as materialized (
    select k.n, k.written, coalesce(near.word, k.written) as read_as,
      case when near.word is null then k.query else plainto_tsquery('english', near.word) end as query,
      k.found or near.word is not null as found
    from known k left join lateral (
      select v.word from vocabulary v
      where not k.found and length(k.written) >= 4 and similarity(v.word, k.written) >= 0.4
      order by similarity(v.word, k.written) desc, abs(length(v.word) - length(k.written)), v.word limit 1) near on true)`;

const toSpelled = (term: string, index: number) => ({ n: index + 1, term, spellings: listSpellings(term) });

/** Whether a passage holds an excluded word. */
export const isExcluded = (terms: Sql, { unwanted }: { unwanted: readonly string[] }): Sql => sql`
  exists (
    select from unnest(${unwanted.flatMap(listSpellings)}::text[]) as term
    where ${terms} @@ phraseto_tsquery('english', ${normalizeSearchText(sql`term`)}))`;

export const queryWords = sql`
  (select coalesce(json_agg(json_build_object('written', written, 'readAs', read_as, 'found', found) order by n), '[]'::json)
   from word)`;
