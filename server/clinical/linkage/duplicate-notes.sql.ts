import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

/** What a document names as the report that holds the same note. */
export const reportReference = sql`
  case when same_as like 'urn:uuid:%' then 'DiagnosticReport/' || substr(same_as, 10) else same_as end`;

/** The documents of a record that need more than their category. */
export const findRestrictedDocuments = (patientId: PatientId, restricted: number) => sql<{
  group_key: string;
  names: string | null;
  required_labels: number;
}>`
  select group_key, ${reportReference} as names, bit_or(required_labels & ${restricted}::integer) as required_labels
  from clinical_entry
  where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%'
    and required_labels & ${restricted}::integer <> 0
  group by 1, 2`;

/** Documents that lack a class of the report that holds the same note, and what they lack. */
export const findUnderlabeledDocuments = (patientId: PatientId, restricted: number) => sql<{
  seq: number;
  required_labels: number;
}>`
  with report as materialized (
    select key, bit_or(required_labels & ${restricted}::integer) as required_labels
    from clinical_entry, unnest(array['text ' || group_key, 'link ' || reference]) as key
    where patient_id = ${patientId} and kind = 'note' and reference like 'DiagnosticReport/%'
      and required_labels & ${restricted}::integer <> 0
    group by key),
  matched as (
    select seq, max(theirs) over (partition by key) & ~own as required_labels
    from (
      select key, required_labels as theirs, null::bigint as seq, null::integer as own from report
      union all
      select key, null, seq, required_labels
      from clinical_entry, unnest(array['text ' || group_key, 'link ' || ${reportReference}]) as key
      where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%' and key is not null
        and exists (select from report)) side_by_side)
  select seq, bit_or(required_labels) as required_labels from matched
  where seq is not null and required_labels <> 0 group by seq order by seq`;
