import { sql, type Sql } from '../../platform/db/sql.ts';
import { latestNow } from '../../platform/db/store-clock.ts';
import { FETCHED_RESTRICTED, NO_LABELS } from './sensitivity-labels.ts';

const hasFetchedRecords = (patientId: Sql): Sql => sql`
  exists (select from patient f where f.patient_id = ${patientId} and f.has_fetched_records)`;

/**
 * What the consent `c` leaves out now. Where parts of it end at different times, what no part that goes on covers is left out; null
 * once all of them are over, which leaves out everything.
 */
export const currentWithheld = (now: Date): Sql => sql`(
  case when c.part_record_id is distinct from c.consent_record_id then c.withheld else c.withheld | (
    select bit_and(part.withheld) from unnest(c.part_withheld, c.part_ends) part(withheld, ends)
    where part.ends > ${latestNow(now)}) end)`;

interface WithheldQuery {
  patientId: Sql;
  now: Date;
  /** What the grant of an app leaves out besides: it may be narrower than its consent, and is never wider. */
  grant?: Sql;
}

/**
 * The mask of what the consent `c` of a patient leaves out now. While nothing was fetched for them, what concerns fetched records
 * only is dropped, so that a consent to everything needs no comparison of labels.
 */
export function resolveWithheld({ patientId, now, grant }: WithheldQuery): Sql {
  const withheld = grant === undefined ? currentWithheld(now) : sql`(${currentWithheld(now)} | ${grant})`;
  return sql`
  case when ${withheld} & ${FETCHED_RESTRICTED}::integer = 0 or ${hasFetchedRecords(patientId)} then ${withheld}
    else ${withheld} & ~${FETCHED_RESTRICTED}::integer end`;
}

/** The mask for the own record of the patient `p`: whoever has the password of a test patient is its organization. */
export const OWN_WITHHELD: Sql = sql`
  case when p.test_organization_id is not null and p.has_fetched_records then ${FETCHED_RESTRICTED}::integer
    else ${NO_LABELS}::integer end`;
