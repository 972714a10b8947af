import type { PatientId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';
import { limitBodyBytes } from '../../store/limit-body-bytes.sql.ts';
import type { WriteContext } from '../../store/resources.sql.ts';

/** Distinct references that found nothing yet, in order. */
export const findOpenTargets = (patientId: PatientId, page: { after: string; limit: number }) => sql<{
  target: string;
}>`
  select distinct target from open_reference where patient_id = ${patientId} and target > ${page.after} order by target limit ${page.limit}`;

export const findResourcesByOpenTarget = (
  patientId: PatientId,
  { targets, after, limit }: { targets: readonly string[]; after: number; limit: number },
) => sql<{
  seq: number;
  origin: string;
  body: string;
}>`
  ${limitBodyBytes(sql`
    select seq, origin, body from resource
    where patient_id = ${patientId} and seq > ${after}
      and seq in (select seq from open_reference where patient_id = ${patientId} and target = any(${targets}::text[]))
    order by seq limit ${limit}`)}`;

export const deleteClosedReferences = (
  patientId: PatientId,
  closed: readonly { target: string; seq: number }[],
) => sql`
  delete from open_reference o using unnest(${closed.map(({ target }) => target)}::text[], ${closed.map(({ seq }) => seq)}::bigint[]) as n(target, seq)
  where o.patient_id = ${patientId} and o.target = n.target and o.seq = n.seq`;

export interface RewrittenResource {
  seq: number;
  body: string;
  organizationReference: string | null;
}

export const updateBodies = (
  { patientId, batchId, now }: WriteContext,
  rows: readonly RewrittenResource[],
) => sql`
  update resource r set body = n.body, organization_reference = n.organization_reference, last_updated = ${now}, last_batch_id = ${batchId}
  from unnest(${rows.map(({ seq }) => seq)}::bigint[], ${rows.map(({ body }) => body)}::text[],
    ${rows.map(({ organizationReference }) => organizationReference)}::text[]) as n(seq, body, organization_reference)
  where r.patient_id = ${patientId} and r.seq = n.seq`;
