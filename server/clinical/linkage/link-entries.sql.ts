import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Kind } from '../entries/entry.ts';
import type { ComparedRow } from './statement.ts';

/** Whether more than one source tells of the record. */
export const hasSeveralSources = (patientId: PatientId) => sql<{ several: boolean }>`
  select exists (
    select from clinical_entry, (select told_by, document_path from clinical_entry where patient_id = ${patientId} limit 1) first
    where patient_id = ${patientId}
      and (clinical_entry.told_by, case when clinical_entry.told_by is null then clinical_entry.document_path end)
        is distinct from (first.told_by, case when first.told_by is null then first.document_path end)) as several`;

/** The kinds of which more than one source tells. */
export const findKindsOfSeveralSources = (patientId: PatientId) => sql<{ kind: Kind }>`
  select kind from clinical_entry where patient_id = ${patientId}
  group by kind having count(distinct coalesce(told_by::text, document_path)) > 1 order by kind`;

/** All of one kind in the order of each source, without the texts of notes and the like, of which digests are compared. */
export const findComparedEntries = (patientId: PatientId, kind: Kind) => sql<ComparedRow>`
  select seq, ordinal, kind, needs, coalesce(told_by::text, document_path) as "toldBy", title, code, names,
    day_text as "dayText", time, status, current, group_key as "groupKey", visit, reference, document_path as "documentPath",
    case kind when 'note' then null
      when 'other' then json_build_object('type', detail -> 'type', 'text', md5(detail ->> 'text')) else detail end as detail
  from clinical_entry where patient_id = ${patientId} and kind = ${kind}
  order by day_text, time, seq, ordinal`;

export interface MatchUpdate {
  seq: number;
  ordinal: number;
  /** JSON. */
  matches: string;
  supersededBy: number[];
}

/** Links that are not what they should be are written anew; `lateral … offset 0`, as everywhere: a look-up for each. */
export const updateMatches = (patientId: PatientId, updates: readonly MatchUpdate[]) => sql`
  update clinical_entry e set told_elsewhere = changed.elsewhere, instead_of = changed.instead_of
  from (
    select w.seq, w.ordinal, w.elsewhere, w.instead_of
    from jsonb_to_recordset(${serializeUpdates(updates)}::jsonb) as w(seq bigint, ordinal integer, elsewhere jsonb, instead_of integer[])
    cross join lateral (
      select told_elsewhere, instead_of from clinical_entry
      where patient_id = ${patientId} and seq = w.seq and ordinal = w.ordinal offset 0) now
    where (now.told_elsewhere, now.instead_of) is distinct from (w.elsewhere, w.instead_of)) changed
  where e.patient_id = ${patientId} and e.seq = changed.seq and e.ordinal = changed.ordinal`;

const serializeUpdates = (updates: readonly MatchUpdate[]): string =>
  `[${updates
    .map(
      ({ seq, ordinal, matches, supersededBy }) =>
        `{"seq":${seq},"ordinal":${ordinal},"elsewhere":${matches},"instead_of":${supersededBy.length === 0 ? 'null' : JSON.stringify(supersededBy)}}`,
    )
    .join(',')}]`;

/** Entries that have links, or stand behind others. */
export const findMatchedEntries = (patientId: PatientId) => sql<{ seq: number; ordinal: number }>`
  select seq, ordinal from clinical_entry
  where patient_id = ${patientId} and (told_elsewhere is not null or instead_of is not null) order by seq, ordinal`;

/** Nothing is told by several sources any more. */
export const clearMatches = (patientId: PatientId) => sql`
  update clinical_entry set told_elsewhere = null, instead_of = null
  where patient_id = ${patientId} and told_elsewhere is not null`;
