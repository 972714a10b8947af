import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

/** What a document names as the report that holds the same note. */
export const reportReference = sql`
  case when same_as like 'urn:uuid:%' then 'DiagnosticReport/' || substr(same_as, 10) else same_as end`;

/** The documents of a record that need more than their category. */
export const findRestrictedDocuments = (patientId: PatientId, restricted: number) => sql<{
  group_key: string;
  names: string | null;
  needs: number;
}>`
  select group_key, ${reportReference} as names, bit_or(needs & ${restricted}::integer) as needs
  from clinical_entry
  where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%'
    and needs & ${restricted}::integer <> 0
  group by 1, 2`;

/** Documents that lack a class of the report that holds the same note, and what they lack. */
export const findUnderlabeledDocuments = (patientId: PatientId, restricted: number) => sql<{
  seq: number;
  needs: number;
}>`
  with report as materialized (
    select key, bit_or(needs & ${restricted}::integer) as needs
    from clinical_entry, unnest(array['text ' || group_key, 'link ' || reference]) as key
    where patient_id = ${patientId} and kind = 'note' and reference like 'DiagnosticReport/%'
      and needs & ${restricted}::integer <> 0
    group by key),
  matched as (
    select seq, max(theirs) over (partition by key) & ~own as needs
    from (
      select key, needs as theirs, null::bigint as seq, null::integer as own from report
      union all
      select key, null, seq, needs
      from clinical_entry, unnest(array['text ' || group_key, 'link ' || ${reportReference}]) as key
      where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%' and key is not null
        and exists (select from report)) side_by_side)
  select seq, bit_or(needs) as needs from matched
  where seq is not null and needs <> 0 group by seq order by seq`;
