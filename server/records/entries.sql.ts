import { createHash } from 'node:crypto';
import type { PatientId } from '../../contract/ids.ts';
import { sql } from '../storage/sql.ts';
import type { Entry } from './entry.ts';

/** An entry with its place: the resource it was read from, and which of that resource's entries it is. */
export interface PlacedEntry {
  seq: number;
  ordinal: number;
  /** `Type/id`. */
  reference: string;
  /** The document the resource came in. */
  documentPath: string;
  entry: Entry;
}

const rowOf = ({ seq, ordinal, reference, documentPath, entry }: PlacedEntry) => ({
  seq,
  ordinal,
  kind: entry.kind,
  category: entry.category,
  title: entry.title,
  code: entry.code,
  day: entry.day,
  day_text: entry.dayText,
  time: entry.time,
  end_text: entry.endText,
  status: entry.status,
  current: entry.current,
  group_key: entry.groupKey,
  visit: entry.visit,
  organization: entry.organization,
  reference,
  document_path: documentPath,
  detail: entry.detail,
  same_as: entry.kind === 'note' ? entry.detail.sameAs : null,
  text_hash: entry.kind === 'note' && entry.detail.text !== null ? `\\x${hashText(entry.detail.text)}` : null,
});

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');

export const deleteEntries = (patientId: PatientId, seqs: readonly number[]) => sql`
  delete from clinical_entry where patient_id = ${patientId} and seq = any(${seqs}::bigint[])`;

export const insertEntries = (patientId: PatientId, entries: readonly PlacedEntry[]) => sql`
  insert into clinical_entry (patient_id, seq, ordinal, kind, category, title, code, day, day_text, time, end_text, status,
    current, group_key, visit, organization, reference, document_path, detail, same_as, text_hash)
  select ${patientId}, seq, ordinal, kind, category, title, code, day, day_text, time, end_text, status,
    current, group_key, visit, organization, reference, document_path, detail, same_as, text_hash
  from json_populate_recordset(null::clinical_entry, ${JSON.stringify(entries.map(rowOf))}::json)`;

/**
 * A note is kept as often as the record holds it and shown once: a report is hidden behind the document that names it,
 * or that has the same text at the same visit. By link first, since different notes may have one text (GUIDE: 554 notes,
 * 551 texts).
 */
export const markDuplicateNotes = (patientId: PatientId) => sql`
  update clinical_entry report set duplicate = exists (
    select from clinical_entry document
    where document.patient_id = ${patientId} and document.kind = 'note' and document.reference like 'DocumentReference/%'
      and (document.same_as in (report.reference, 'urn:uuid:' || split_part(report.reference, '/', 2))
        or (document.text_hash = report.text_hash and document.visit is not distinct from report.visit
          and document.day is not distinct from report.day)))
  where report.patient_id = ${patientId} and report.kind = 'note' and report.reference like 'DiagnosticReport/%'`;
