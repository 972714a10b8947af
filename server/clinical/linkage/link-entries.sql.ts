import type { DataMask, PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Kind } from '../entries/entry.ts';
import { RECORD_KINDS } from '../entries/other-kinds.ts';
import type { ComparedRow } from './statement.ts';

/** Whether the record has entries of more than one source. */
export const hasSeveralSources = (patientId: PatientId) => sql<{ has_several: boolean }>`
  select exists (
    select from clinical_entry, (select source_key, document_path from clinical_entry where patient_id = ${patientId} limit 1) first
    where patient_id = ${patientId}
      and (clinical_entry.source_key, case when clinical_entry.source_key is null then clinical_entry.document_path end)
        is distinct from (first.source_key, case when first.source_key is null then first.document_path end)) as has_several`;

/** Finds the kinds of which more than one source has entries. */
export const findKindsOfSeveralSources = (patientId: PatientId) => sql<{ kind: Kind }>`
  select kind from clinical_entry where patient_id = ${patientId}
  group by kind having count(distinct coalesce(source_key::text, document_path)) > 1 order by kind`;

/** A row of `findComparedEntries`. */
export interface ComparedEntryRow {
  seq: number;
  ordinal: number;
  kind: Kind;
  required_labels: DataMask;
  source: string;
  title: string;
  code: string | null;
  names: string[] | null;
  day_text: string | null;
  time: string | null;
  end_text: string | null;
  status: string | null;
  current: boolean;
  group_key: string;
  visit: string | null;
  unless_covered: DataMask[] | null;
  reference: string;
  document_path: string;
  detail: string | null;
}

/** Finds all entries of one kind in the order of each source, without long texts, of which digests are compared. */
export const findComparedEntries = (patientId: PatientId, kind: Kind) => sql<ComparedEntryRow>`
  select seq, ordinal, kind, required_labels, coalesce(source_key::text, document_path) as source, title, code, names,
    day_text, time, end_text, status, current, group_key, visit, unless_covered, reference, document_path,
    case when kind = 'note' then null
      when kind = any (${RECORD_KINDS}::text[]) then json_build_object('type', detail -> 'type', 'text', md5(detail ->> 'text'))
      else detail end as detail
  from clinical_entry where patient_id = ${patientId} and kind = ${kind}
  order by day_text, time, seq, ordinal`;

/** Its detail stays JSON: it is parsed when the entry is compared, so that the pauses of linkage cover it. */
export const toComparedRow = (row: ComparedEntryRow): ComparedRow => ({
  seq: row.seq,
  ordinal: row.ordinal,
  kind: row.kind,
  requiredLabels: row.required_labels,
  sourceKey: row.source,
  title: row.title,
  code: row.code,
  names: row.names,
  dayText: row.day_text,
  time: row.time,
  endText: row.end_text,
  status: row.status,
  current: row.current,
  groupKey: row.group_key,
  visit: row.visit,
  unlessCovered: row.unless_covered,
  reference: row.reference,
  documentPath: row.document_path,
  detail: row.detail,
});

/** Finds the entries that have links, or are superseded. */
export const findMatchedEntries = (patientId: PatientId) => sql<{ seq: number; ordinal: number }>`
  select seq, ordinal from clinical_entry
  where patient_id = ${patientId} and (matches is not null or superseded_by is not null) order by seq, ordinal`;
