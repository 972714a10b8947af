import type { RecordAccess } from '../../consent/access/record-access.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { filterCovered, isBeingLabeled, isCovered } from '../queries/visible-entries.sql.ts';

/**
 * A condition on a row of `passage`, under an alias where one is given: the consent covers it, and while the record is being
 * labeled an entry that it is of.
 */
export const passageIsCovered = (access: RecordAccess, alias = 'passage'): Sql => sql`
  ${isCovered(access, raw(`${alias}.required_labels`))}
    and case when ${access.withheld} <> 0 and ${isBeingLabeled(access)} then exists (
      select from passage_use used
      where used.patient_id = ${access.patientId} and used.passage_hash = ${raw(`${alias}.passage_hash`)}
        and exists (select from ${filterCovered(access)} and seq = used.seq and ordinal = used.ordinal)) else true end`;
