import type { PatientId } from '../../../contract/brands.ts';
import { bigintArray, integerArray } from '../../platform/db/array-values.ts';
import { isAmongSeqs } from '../store/among-seqs.sql.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import type { PassageRow } from './passages.ts';

/**
 * Normalizes text for the index and for queries. The parser takes "chest/abdomen" for a path, "pain.No" for a host and
 * "a_b" for one word, none of which a note means; so such joints become spaces.
 */
export const normalizeSearchText = (text: Sql): Sql => sql`translate(${text}, '/._@', '    ')`;

/**
 * Returns the part of a passage's hash that is of its text alone; what follows is of its required labels and its concepts.
 * Passages that differ in these only are one text to a reader.
 */
export const extractTextHash = (hash: Sql): Sql => sql`substr(${hash}, 1, 28)`;

/**
 * Inserts uses of passages, and the passages that are not there yet: each is sent once, most have several uses. Where uses
 * were deleted before in the transaction, none is there: `on conflict` would look for each of them in the index first.
 */
export const insertPassages = (
  patientId: PatientId,
  passages: readonly PassageRow[],
  { mayBeThere }: { mayBeThere: boolean },
) => {
  const given = new Map<string, Omit<PassageRow, 'seq' | 'ordinal'> & { at: number }>();
  // One entry may have a passage twice.
  const uses = new Map<string, { at: number; seq: number; ordinal: number }>();
  for (const { seq, ordinal, ...passage } of passages) {
    const { at } = given.get(passage.hash) ?? { at: given.size };
    if (at === given.size) given.set(passage.hash, { ...passage, hash: `\\x${passage.hash}`, at });
    uses.set(`${seq} ${ordinal} ${at}`, { at, seq, ordinal });
  }
  const used = [...uses.values()];
  return sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify([...given.values()])}::json)
        as given(at integer, hash bytea, title text, body text, required_labels integer, concepts integer[])),
    added as (
      insert into passage (patient_id, passage_hash, title, body, required_labels, concepts, terms)
      select ${patientId}::uuid, hash, title, body, required_labels, concepts,
        setweight(to_tsvector('english', ${normalizeSearchText(sql`title`)}), 'A')
          || setweight(to_tsvector('english', ${normalizeSearchText(sql`body`)}), 'B')
      from given
      where not exists (
        select from passage p where p.patient_id = ${patientId} and p.passage_hash = given.hash offset 0)
      on conflict do nothing)
    insert into passage_use (patient_id, passage_hash, seq, ordinal)
    select ${patientId}::uuid, given.hash, used.seq, used.ordinal
    from unnest(${integerArray(used.map(({ at }) => at))}, ${bigintArray(used.map(({ seq }) => seq))},
      ${integerArray(used.map(({ ordinal }) => ordinal))}) as used(at, seq, ordinal)
    join given on given.at = used.at
    ${mayBeThere ? sql`on conflict do nothing` : sql``}`;
};

/** Has the index of words take those that wait for it, where it is one index and not one of each partition. */
export const takeWaitingWords = sql`
  select gin_clean_pending_list(oid) from pg_class where oid = 'passage_terms'::regclass and relkind = 'i'`;

/** Deletes the uses of the entries of `seqs`, and the passages that nothing else uses. */
export const deletePassageUses = (patientId: PatientId, seqs: readonly number[]) => sql`
  with gone as (
    delete from passage_use
    where patient_id = ${patientId} and ${isAmongSeqs(seqs)}
    returning passage_hash)
  delete from passage p
  where p.patient_id = ${patientId} and p.passage_hash = any(array(select distinct passage_hash from gone))
    and not exists (
      select from passage_use u
      where u.patient_id = ${patientId} and u.passage_hash = p.passage_hash and u.seq <> all (${bigintArray(seqs)}) offset 0)`;
