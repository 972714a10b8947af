import type { PatientId } from '../../contract/ids.ts';
import { sql } from '../storage/sql.ts';

/** What a document names as the report that holds the same note. */
const named = sql`
  case when same_as like 'urn:uuid:%' then 'DiagnosticReport/' || substr(same_as, 10) else same_as end`;

/** The documents of a record that need more than their category. */
export const restrictedDocuments = (patientId: PatientId, restricted: number) => sql<{
  group_key: string;
  names: string | null;
  needs: number;
}>`
  select group_key, ${named} as names, bit_or(needs & ${restricted}::integer) as needs
  from clinical_entry
  where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%'
    and needs & ${restricted}::integer <> 0
  group by 1, 2`;

/** Documents that lack a class of the report that holds the same note, and what they lack. */
export const documentsLacking = (patientId: PatientId, restricted: number) => sql<{
  seq: number;
  needs: number;
}>`
  with report as materialized (
    select group_key, reference, needs & ${restricted}::integer as needs from clinical_entry
    where patient_id = ${patientId} and kind = 'note' and reference like 'DiagnosticReport/%'
      and needs & ${restricted}::integer <> 0),
  document as materialized (
    select seq, group_key, ${named} as names, needs from clinical_entry
    where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%'
      and exists (select from report)),
  same as (
    select d.seq, r.needs & ~d.needs as needs from document d join report r on r.group_key = d.group_key
    union all
    select d.seq, r.needs & ~d.needs from document d join report r on r.reference = d.names)
  select seq, bit_or(needs) as needs from same where needs <> 0 group by seq order by seq`;
