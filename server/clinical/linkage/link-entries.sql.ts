import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Kind } from '../entries/entry.ts';
import type { ComparedRow } from './statement.ts';

/** Whether more than one source tells of the record. */
export const hasSeveralSources = (patientId: PatientId) => sql<{ several: boolean }>`
  select exists (
    select from clinical_entry, (select source_key, document_path from clinical_entry where patient_id = ${patientId} limit 1) first
    where patient_id = ${patientId}
      and (clinical_entry.source_key, case when clinical_entry.source_key is null then clinical_entry.document_path end)
        is distinct from (first.source_key, case when first.source_key is null then first.document_path end)) as several`;

/** The kinds of which more than one source tells. */
export const findKindsOfSeveralSources = (patientId: PatientId) => sql<{ kind: Kind }>`
  select kind from clinical_entry where patient_id = ${patientId}
  group by kind having count(distinct coalesce(source_key::text, document_path)) > 1 order by kind`;

/** All of one kind in the order of each source, without the texts of notes and the like, of which digests are compared. */
export const findComparedEntries = (patientId: PatientId, kind: Kind) => sql<ComparedRow>`
  select seq, ordinal, kind, required_labels as "requiredLabels", coalesce(source_key::text, document_path) as "sourceKey", title, code, names,
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
  update clinical_entry e set matches = changed.elsewhere, superseded_by = changed.superseded_by
  from (
    select w.seq, w.ordinal, w.elsewhere, w.superseded_by
    from jsonb_to_recordset(${serializeUpdates(updates)}::jsonb) as w(seq bigint, ordinal integer, elsewhere jsonb, superseded_by integer[])
    cross join lateral (
      select matches, superseded_by from clinical_entry
      where patient_id = ${patientId} and seq = w.seq and ordinal = w.ordinal offset 0) now
    where (now.matches, now.superseded_by) is distinct from (w.elsewhere, w.superseded_by)) changed
  where e.patient_id = ${patientId} and e.seq = changed.seq and e.ordinal = changed.ordinal`;

const serializeUpdates = (updates: readonly MatchUpdate[]): string =>
  `[${updates
    .map(
      ({ seq, ordinal, matches, supersededBy }) =>
        `{"seq":${seq},"ordinal":${ordinal},"elsewhere":${matches},"superseded_by":${supersededBy.length === 0 ? 'null' : JSON.stringify(supersededBy)}}`,
    )
    .join(',')}]`;

/** Entries that have links, or stand behind others. */
export const findMatchedEntries = (patientId: PatientId) => sql<{ seq: number; ordinal: number }>`
  select seq, ordinal from clinical_entry
  where patient_id = ${patientId} and (matches is not null or superseded_by is not null) order by seq, ordinal`;

/** Nothing is told by several sources any more. */
export const clearMatches = (patientId: PatientId) => sql`
  update clinical_entry set matches = null, superseded_by = null
  where patient_id = ${patientId} and matches is not null`;
