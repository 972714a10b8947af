import type { OrganizationReach } from '../../../contract/audience.ts';
import type { PartnerAccess } from '../../consent/access/partner-access.ts';
import { gateIsFull, isSharedWith } from '../../consent/access/partner-gate.sql.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/**
 * A condition on a row `r` of `resource`: the gate covers its labels. A resource that is not labeled yet is covered only by
 * a consent that leaves out nothing.
 */
export const resourceIsCovered = ({ patientId }: PartnerAccess): Sql => sql`
  (${gateIsFull} or exists (
    select from resource_label n join gate g on least(n.required_labels & g.withheld, 1) <> 1
    where n.patient_id = ${patientId} and n.seq = r.seq))`;

/** A condition on a row `r` of `resource`, for a read that names no patient: the organization may read the resource now. */
export const resourceIsShared = (reach: OrganizationReach, now: Date): Sql =>
  isSharedWith(
    { reach, patientId: sql`r.patient_id`, now },
    (withheld) => sql`
      (${withheld} = 0 or exists (
        select from resource_label n where n.patient_id = r.patient_id and n.seq = r.seq
          and least(n.required_labels & ${withheld}, 1) <> 1))`,
  );
