import type { OrganizationReach } from '../../../contract/audience.ts';
import type { PartnerAccess } from '../../consent/access/partner-access.ts';
import { gateCoversLabels, gateIsFull, isSharedWith } from '../../consent/access/partner-gate.sql.ts';
import { getPublishedLabels, selectPublishedLabels } from '../../clinical/store/published-labels.sql.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/** The time until which all changes of a record have their labels. */
const getLabeledUntil = (patientId: Sql): Sql => sql`
  coalesce((select labeled_until from record_head where patient_id = ${patientId}), 'infinity')`;

/**
 * A condition on a row `r` of `resource`: the gate covers its labels. A resource of a batch that is being labeled is covered
 * only by a consent that leaves out nothing: those that it shares with others are not all known.
 */
export const resourceIsCovered = ({ patientId }: PartnerAccess): Sql => sql`
  (${gateIsFull} or r.last_updated <= ${getLabeledUntil(sql`${patientId}`)} and exists (
    select from resource_label n join gate g on least(${getPublishedLabels('n')} & g.withheld, 1) <> 1
    where n.patient_id = ${patientId} and n.seq = r.seq))`;

/** A condition on a row `r` of `resource` and one `b` of `resource_version`: a batch that is being labeled has changed what it was. */
const isBeforeBatch = (labeledUntil: Sql): Sql => sql`
  r.last_updated > ${labeledUntil} and b.valid_from <= ${labeledUntil} and b.valid_until > ${labeledUntil}`;

/** A condition on the same rows: the gate covers the version, and shows it in the place of the resource. */
export const versionIsCovered = ({ patientId }: PartnerAccess): Sql => sql`
  not ${gateIsFull} and ${isBeforeBatch(getLabeledUntil(sql`${patientId}`))} and ${gateCoversLabels(sql`b.required_labels`)}`;

/** A condition on a row `r` of `resource`, for a read that names no patient: the organization may read the resource now. */
export const resourceIsShared = (reach: OrganizationReach, now: Date): Sql => {
  const labeledUntil = getLabeledUntil(sql`r.patient_id`);
  return isSharedWith(
    { reach, patientId: sql`r.patient_id`, now },
    (withheld) => sql`
      (${withheld} = 0
        or r.last_updated <= ${labeledUntil} and exists (
          select from resource_label n where n.patient_id = r.patient_id and n.seq = r.seq
            and least(${getPublishedLabels('n')} & ${withheld}, 1) <> 1)
        or exists (
          select from resource_version b where b.patient_id = r.patient_id and b.seq = r.seq
            and ${isBeforeBatch(labeledUntil)} and least(b.required_labels & ${withheld}, 1) <> 1))`,
  );
};

/**
 * Selects what `selectResource` does of a row `r` of `resource`, where `g.withheld` has the masks of what the consents leave out: the
 * columns of `SharedResourceRow` but the patient and the masks.
 */
export const selectSharedBody = (): Sql => {
  const labeledUntil = getLabeledUntil(sql`r.patient_id`);
  const isCovered = (labels: Sql): Sql => sql`
    exists (select from unnest(g.withheld) w(mask) where least(${labels} & w.mask, 1) <> 1)`;
  return sql`
    select r.body, l.required_labels, l.redactions
    from (select 1) one left join lateral (
      select ${selectPublishedLabels('n')} from resource_label n
      where n.patient_id = r.patient_id and n.seq = r.seq offset 0) l on true
    where 0 = any(g.withheld) or r.last_updated <= ${labeledUntil} and ${isCovered(sql`l.required_labels`)}
    union all
    select b.body, b.required_labels, b.redactions
    from resource_version b
    where b.patient_id = r.patient_id and b.seq = r.seq and 0 <> all(g.withheld) and ${isBeforeBatch(labeledUntil)}
      and ${isCovered(sql`b.required_labels`)}`;
};
