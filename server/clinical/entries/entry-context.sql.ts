import type { DataMask, PatientId } from '../../../contract/brands.ts';
import { bigintArray, textArray } from '../../platform/db/array-values.ts';
import { isSeqOf } from '../store/among-seqs.sql.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import type { Details, Kind } from './entry.ts';
import type { NamedMedication } from './borrowed-names.ts';
import { NAME_SEPARATOR, UNNAMED_KINDS, type SharedKey } from './contradicting-names.ts';
import type { LinkedEntry } from './context-fact.ts';
import type { EntryContext, ListedBy } from './entry-context.ts';
import type { LinkRole } from './entry-link.ts';

interface LinkedEntryRow {
  seq: number;
  ordinal: number;
  kind: Kind;
  reference: string;
  title: string;
  group_key: string;
  code: string | null;
  status: string | null;
  day_text: string | null;
  required_labels: DataMask;
  visit: string | null;
  links: string[] | null;
  detail: string;
  listed_by: DataMask[] | null;
}

const selectLinked = (where: Sql) => sql<LinkedEntryRow>`
  select seq, ordinal, kind, reference, title, group_key, code, status, day_text, required_labels, visit, links, listed_by,
    case when kind = 'note' then '{}' else detail::text end as detail
  from clinical_entry where ${where} order by seq, ordinal`;

/** Finds the entries that refer to others, the visits that conditions belong to, and those conditions. */
export const findLinkingEntries = (patientId: PatientId) =>
  selectLinked(sql`
    patient_id = ${patientId} and (links is not null or listed_by is not null or kind = 'condition' and visit is not null
      or kind = 'visit' and reference in (
        select visit from clinical_entry where patient_id = ${patientId} and kind = 'condition' and visit is not null))`);

/** Finds the entries that are referred to, but for those that refer to others themselves. */
export const findLinkedEntries = (patientId: PatientId, references: readonly string[]) =>
  selectLinked(sql`
    patient_id = ${patientId} and reference = any(${textArray(references)}) and links is null and listed_by is null`);

export const toLinkedEntry = (row: LinkedEntryRow): LinkedEntry => ({
  seq: row.seq,
  ordinal: row.ordinal,
  kind: row.kind,
  reference: row.reference,
  title: row.title,
  groupKey: row.group_key,
  code: row.code,
  status: row.status,
  dayText: row.day_text,
  requiredLabels: row.required_labels,
  visit: row.visit,
  links: (row.links ?? []).map((link) => {
    const space = link.indexOf(' ');
    return { role: link.slice(0, space) as LinkRole, target: link.slice(space + 1) };
  }),
  detail: JSON.parse(row.detail) as Details[Kind],
  listedBy: row.listed_by ?? [],
});

/** Finds the dates of visits, which conditions without a date borrow. */
export const findVisitDates = (patientId: PatientId, references: readonly string[]) => sql<{
  reference: string;
  day: string;
  day_text: string;
  time: string | null;
}>`
  select reference, day::text as day, day_text, time from clinical_entry
  where patient_id = ${patientId} and kind = 'visit' and day is not null and reference = any(${textArray(references)})`;

/** Writes the contexts that changed, and deletes those of entries that have none any more. */
export const upsertContexts = (patientId: PatientId, contexts: readonly EntryContext[]) => sql`
  with wanted as materialized (
    select seq, ordinal, facts from jsonb_to_recordset(${JSON.stringify(contexts)}::jsonb) as w(seq bigint, ordinal integer, facts jsonb)),
  outdated as (
    delete from entry_context c where c.patient_id = ${patientId}
      and (c.seq, c.ordinal) not in (select seq, ordinal from wanted))
  insert into entry_context (patient_id, seq, ordinal, facts)
  select ${patientId}, seq, ordinal, facts from wanted
  on conflict (patient_id, seq, ordinal) do update set facts = excluded.facts where entry_context.facts <> excluded.facts`;

/** Finds whose entries say something of the next entries of a record, as `Type/id`. */
export const findContextSources = (
  patientId: PatientId,
  { seq, ordinal }: { seq: number; ordinal: number },
  limit: number,
) => sql<{ seq: number; ordinal: number; sources: string[] }>`
  select seq, ordinal, array(select fact ->> 'from' from jsonb_array_elements(facts) as fact) as sources
  from entry_context where patient_id = ${patientId} and (seq, ordinal) > (${seq}::bigint, ${ordinal}::integer)
  order by seq, ordinal limit ${limit}`;

/** Deletes what is said of the entries of these resources. */
export const deleteContexts = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from entry_context where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

export const updateNames = (patientId: PatientId, named: readonly NamedMedication[]) => sql`
  update clinical_entry e set title = w.title, group_key = w."groupKey", detail = w.detail
  from json_to_recordset(${JSON.stringify(named)}::json) as w(seq bigint, ordinal integer, title text, "groupKey" text, detail json)
  where e.patient_id = ${patientId} and ${isSeqOf(named, 'e')} and e.seq = w.seq and e.ordinal = w.ordinal`;

/** Finds the keys of a code that entries of several names have, and those that were separated before. */
export const findSharedKeys = (patientId: PatientId) => sql<SharedKey>`
  select kind, base, title, code, required_labels as "requiredLabels", group_key as "groupKey"
  from (
    select *, min(lower(title)) over same <> max(lower(title)) over same or bool_or(group_key <> base) over same as is_shared
    from (
      select distinct kind, title, code, required_labels, group_key, split_part(group_key, ${NAME_SEPARATOR}, 1) as base
      from clinical_entry where patient_id = ${patientId} and code is not null and vital is null and kind <> all (${textArray(UNNAMED_KINDS)})) coded
    where starts_with(base, code) or starts_with(base, 'not:' || code)
    window same as (partition by kind, base)) keys
  where is_shared order by kind, base`;

/** Gives entries the keys of `separateContradicting`. */
export const updateGroupKeys = (patientId: PatientId, keys: readonly SharedKey[]) => sql`
  update clinical_entry e set group_key = w."groupKey"
  from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as w(kind text, base text, title text, "requiredLabels" integer, "groupKey" text)
  where e.patient_id = ${patientId} and e.kind = w.kind and e.title = w.title and e.required_labels = w."requiredLabels"
    and split_part(e.group_key, ${NAME_SEPARATOR}, 1) = w.base and e.group_key <> w."groupKey"`;

export const updateListedBy = (patientId: PatientId, listed: readonly ListedBy[]) => sql`
  update clinical_entry e set listed_by = nullif(w.masks, '{}')
  from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as w(seq bigint, ordinal integer, masks integer[])
  where e.patient_id = ${patientId} and ${isSeqOf(listed, 'e')} and e.seq = w.seq and e.ordinal = w.ordinal`;
