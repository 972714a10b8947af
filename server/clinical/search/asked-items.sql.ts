import type { RecordAccess } from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { toMention } from '../concepts/annotate.ts';
import { toConceptId } from '../concepts/concept.ts';
import type { Kind } from '../entries/entry.ts';
import { filterFindable, filterRepresented } from '../queries/visible-entries.sql.ts';
import { passageIsCovered } from './covered-passages.sql.ts';
import { asksForAllAllergies, listAskedIds } from './asked-ids.ts';
import { selectNear } from './embeddings/embeddings.sql.ts';
import { normalizeSearchText } from './passages.sql.ts';
import { isExcluded, selectQueryWords } from './query-words.sql.ts';
import { asksForRelatives, type AskedTitle, type Question } from './question.ts';
import { filterInScope, type Search } from './search-scope.sql.ts';

/** Words of less weight are general or of a place: no result rests on them alone. */
const MIN_CARRYING_WEIGHT = 0.3;

/** Whether the question names nothing but kinds and times: then all entries of these answer. */
export const asksForKinds = ({ concepts, words, kinds, window }: Question): boolean =>
  concepts.length === 0 &&
  words.every(({ weight }) => weight < MIN_CARRYING_WEIGHT) &&
  (kinds.length > 0 || window !== null);

/**
 * Step 1: what is asked for, a row of `item` each: concepts (n from 1), words (n from 101), or the kinds alone (n 0). The
 * words are corrected by the record's own, as in a search of notes.
 */
export const selectItems = (access: RecordAccess, { question }: Search): Sql => {
  const { concepts, words, unwanted } = question;
  const asked = concepts.map((concept, index) => ({ n: index + 1, ...listAskedIds(concept, question) }));
  return sql`
  ${selectQueryWords(access, { wanted: words.map(({ text }) => text), unwanted: [...unwanted] })},
  asked as materialized (
    select *, named || mentioned || named_wider || mentioned_wider || named_illness || mentioned_illness || related || near as every,
      named || mentioned || named_wider || mentioned_wider as affirmed, (
        select string_agg('(' || query::text || ')', ' | ')::tsquery
        from (select ${toQuery(sql`phrase`)} as query from unnest(phrases) as phrase) written where numnode(query) > 0) as query
    from json_to_recordset(${JSON.stringify(asked)}::json) as asked(n integer, weight float8, name text, phrases text[], named integer[],
      mentioned integer[], named_wider integer[], mentioned_wider integer[], named_illness integer[], mentioned_illness integer[], denied integer[], related integer[],
      near integer[], unsaid integer[])),
  item as materialized (
    select n, weight, true as is_concept from asked
    union all
    select 100 + n, (${words.map(({ weight }) => weight)}::float8[])[n], false from word
    ${asksForKinds(question) ? sql`union all select 0, 1, true` : sql``})`;
};

const toQuery = (text: Sql): Sql => sql`phraseto_tsquery('english', ${normalizeSearchText(text)})`;

/**
 * The passages that answer an item, and how: by its words (`ts_rank`, normalized by length), as the concept itself, as a
 * narrower or a related one. A code or title counts twice of a mention. The words of a concept do not count where the text
 * only denies it, or says it of somebody else.
 */
export const matchPassages = (access: RecordAccess, search: Search): Sql => {
  const { question, vector = null } = search;
  const { concepts, words } = question;
  const arms = [
    concepts.length > 0 ? matchConcepts(access, search) : null,
    words.length > 0 || concepts.length === 0 ? matchWords(access, search) : null,
    listCodes(question).length > 0 ? matchCodes(access, search) : null,
    asksForKinds(question) ? matchKinds(access, search) : null,
    question.title === null ? null : matchTitle(access, search, question.title),
  ].filter((arm) => arm !== null);
  const hits = arms.reduce((all, arm) => sql`${all} union all ${arm}`);
  // Neighbours of a question about relatives would be the patient's own.
  if (vector === null || asksForRelatives(question)) return sql`hit as materialized (${hits})`;
  return sql`
  meant as materialized (${hits}), ${selectNear(vector, sql`${isReadable(access, search)} and not ${isDenied}`)},
  hit as materialized (
    select * from meant
    union all
    select (select min(n) from item), passage_hash, 0, 0, 0, ${NEAR_VALUE}::float8 * similarity
    from (
      select passage_hash, similarity from near
      where similarity >= (
        select avg(similarity) from near
        where passage_hash in (select passage_hash from meant where words > 0 or equal > 0 or narrower > 0))
      order by similarity desc, passage_hash limit ${MAX_NEAR}) nearest)`;
};

/**
 * A text that a model finds as near the question as it finds those that are meant is an answer too, as one that mentions
 * something related. Which cosine is near differs by model, and something is always nearest: so where nothing is meant,
 * nothing is near.
 */
const NEAR_VALUE = 0.4;
const MAX_NEAR = 20;

const isDenied = sql`exists (select from asked a where p.concepts && a.unsaid and not p.concepts && a.affirmed)`;

/** What the consent covers, and holds no excluded word. */
export const isReadable = (access: RecordAccess, { question }: Search): Sql => sql`
  p.patient_id = ${access.patientId} and ${passageIsCovered(access, 'p')}
    ${question.unwanted.length === 0 ? sql`` : sql`and not ${isExcluded(sql`p.terms`, question)}`}`;

/** Words and concepts in one pass: by an index for each, of which the database joins the results. */
const matchConcepts = (access: RecordAccess, search: Search): Sql => sql`
  select a.n, p.passage_hash,
    case when p.terms @@ a.query and (p.concepts && a.affirmed or not p.concepts && a.unsaid) then ts_rank(p.terms, a.query, 1)::float8 else 0 end as words,
    case when p.concepts && a.named then 1 when p.concepts && a.mentioned then case when p.concepts && a.unsaid then ${DISPUTED} else 0.5 end else 0 end::float8 as equal,
    case when p.concepts && a.named_wider then 1 when p.concepts && a.named_illness then ${OF_ILLNESS}
      when p.concepts && a.mentioned_wider then 0.5 when p.concepts && a.mentioned_illness then ${OF_ILLNESS} / 2 else 0 end::float8 as narrower,
    case when p.concepts && a.near and not p.concepts && ${ALLERGIES}::integer[] then 1 when p.concepts && a.related then 0.6 else 0 end::float8 as related
  from asked a join passage p on (p.concepts && a.every or p.terms @@ a.query) and ${isReadable(access, search)}`;

/** The value of an illness for the symptoms that it is known by. */
export const OF_ILLNESS = sql`0.9::float8`;

/** The value of a mention in a text that denies it too, or says it of somebody else. */
export const DISPUTED = sql`0.4::float8`;

/** Who is allergic to a drug does not take it. */
const ALLERGIES = [toMention(toConceptId('allergy'), 'namedWider')];

const matchWords = (access: RecordAccess, search: Search): Sql => sql`
  select 100 + w.n as n, p.passage_hash, ts_rank(p.terms, w.query, 1)::float8 as words, 0::float8 as equal, 0::float8 as narrower, 0::float8 as related
  from word w join passage p on p.terms @@ w.query and ${isReadable(access, search)}`;

/** What has a code is asked of the entries: passages hold what codes mean, and no codes. Of ICD-10 a category has all below it. */
const matchCodes = (access: RecordAccess, search: Search): Sql => sql`
  select 100 + w.n as n, p.passage_hash, 1::float8 as words, 1::float8 as equal, 0::float8 as narrower, 0::float8 as related
  from (
    select n, replace(lower(written), '.', '') as code, written ~ '^[a-z]' as is_category
    from word where written = any (${listCodes(search.question)}::text[])) w
  cross join lateral (
    select seq, ordinal from ${filterFindable(access)} and exists (
      select from unnest(names || code) as name
      cross join lateral (select replace(lower(split_part(name, '|', 2)), '.', '') as code) own
      where (name = clinical_entry.code or starts_with(name, 'code ')) and (own.code = w.code or w.is_category and starts_with(own.code, w.code)))
    offset 0) entry
  join passage_use u on u.patient_id = ${access.patientId} and u.seq = entry.seq and u.ordinal = entry.ordinal
  join passage p on p.passage_hash = u.passage_hash and ${isReadable(access, search)}`;

/**
 * What is called as the question calls it is all that is asked for, whatever its words are taken for: an entry whose title is
 * these words in any order ("wrist laceration" is "Laceration of wrist"), or an allergy whose title holds them. What only
 * denies or prevents it is, where nothing else was written. The words of titles have a weight of their own, so that the many
 * notes which hold a word are not read for it.
 */
const matchTitle = (access: RecordAccess, search: Search, { text, kinds, isBare }: AskedTitle): Sql => sql`
  select item.n, called.passage_hash, 1::float8 as words, 0::float8 as equal, 0::float8 as narrower, 0::float8 as related
  from item cross join (
    select p.passage_hash
    from (
      select numnode(query) / 2 + 1 as words, regexp_replace(query::text, $$'(?=\s|$)$$, $$':A$$, 'g')::tsquery as query
      from (select plainto_tsquery('english', ${normalizeSearchText(sql`${text}::text`)}) as query) written) called
    join passage p on p.terms @@ called.query and ${isReadable(access, search)}
    where (p.concepts && ${ALLERGIES}::integer[]
        or length(to_tsvector('english', ${normalizeSearchText(sql`p.title`)})) = called.words)
      ${isBare ? sql`` : sql`and not ${isDenied}`} ${kinds.length === 0 ? sql`` : isUsedByKinds(access, kinds)}) called`;

const isUsedByKinds = (access: RecordAccess, kinds: readonly Kind[]): Sql => sql`
  and exists (
    select from passage_use u
    cross join lateral (
      select from ${filterRepresented(access)} and seq = u.seq and ordinal = u.ordinal and kind = any (${kinds}::text[]) offset 0) used
    where u.patient_id = ${access.patientId} and u.passage_hash = p.passage_hash)`;

const listCodes = ({ words }: Question): string[] =>
  words.flatMap(({ text, isCode }) => (isCode ? text : []));

/** From the entries to their passages, one by one: a record holds few entries of most kinds. */
const matchKinds = (access: RecordAccess, search: Search): Sql => sql`
  select 0, p.passage_hash, 0, 1, 0, 0
  from (select seq, ordinal from ${filterInScope(filterFindable(access), search)} and ${isOfAskedKind(search.question)} offset 0) entry
  cross join lateral (
    select passage_hash from passage_use
    where patient_id = ${access.patientId} and seq = entry.seq and ordinal = entry.ordinal offset 0) u
  cross join lateral (
    select passage_hash from passage p where ${isReadable(access, search)} and passage_hash = u.passage_hash offset 0) p
  ${asksForAllAllergies(search.question) ? sql`union all ${matchAllergyNotes(access, search)}` : sql``}
  ${search.question.subset === 'stopped' ? sql`union all ${matchStoppedNotes(access, search)}` : sql``}`;

/** Allergies that only a note states: "Allergic to shellfish per wife". Leaving them out is the dangerous error. */
const matchAllergyNotes = (access: RecordAccess, search: Search): Sql => sql`
  select 0, p.passage_hash, 0, 0.5, 0, 0 from passage p
  where p.concepts && ${ALLERGY_MENTIONS}::integer[] and ${isReadable(access, search)}`;

const ALLERGY_MENTIONS = (['mentioned', 'mentionedWider'] as const).map((role) =>
  toMention(toConceptId('allergy'), role),
);

/** "Atorvastatin was discontinued", "Stopped taking omeprazole": what only a note says of drugs that are not taken any more. */
const matchStoppedNotes = (access: RecordAccess, search: Search): Sql => sql`
  select 0, p.passage_hash, 0, 0.5, 0, 0 from passage p
  where p.terms @@ ${STOPPED_TERMS}::tsquery and ${isReadable(access, search)} ${isUsedByKinds(access, ['note'])}`;

/** Lexemes of the index. What stops may be a bleeding too: beside words for drugs and doses, or for taking them, it is a drug. */
const STOPPED_TERMS = [
  "'discontinu':* | 'abgesetzt':* | 'suspendi':* | 'descontinu':* | 'stop' <-> 'take' | 'stop' <-> 'use'",
  "'stop' & ('medic':* | 'drug' | 'pill' | 'tablet' | 'dose' | 'mg' | 'mcg')",
  "('dejó' | 'dejo') & 'tomar' | ('past' | 'previous' | 'former') <-> 'medic':*",
].join(' | ');

const isOfAskedKind = ({ kinds }: Question): Sql =>
  kinds.length === 0 ? sql`true` : sql`kind = any (${kinds.map(({ kind }) => kind)}::text[])`;
