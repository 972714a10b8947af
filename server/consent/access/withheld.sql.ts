import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { FETCHED_RESTRICTED, NO_LABELS } from './sensitivity-labels.ts';

const hasFetchedRecords = (patientId: Sql): Sql => sql`
  exists (select from patient f where f.patient_id = ${patientId} and f.has_fetched_records)`;

/**
 * The mask of what the consent `c` of a patient leaves out, or of what `withheld` does. While nothing was fetched for them,
 * what concerns fetched records only is dropped, so that a consent to everything needs no comparison of labels.
 */
export const resolveWithheld = (patientId: Sql, withheld: Sql = raw('c.withheld')): Sql => sql`
  case when ${withheld} & ${FETCHED_RESTRICTED}::integer = 0 or ${hasFetchedRecords(patientId)} then ${withheld}
    else ${withheld} & ~${FETCHED_RESTRICTED}::integer end`;

/** The mask for the own record of the patient `p`: whoever has the password of a test patient is its organization. */
export const OWN_WITHHELD: Sql = sql`
  case when p.test_organization_id is not null and p.has_fetched_records then ${FETCHED_RESTRICTED}::integer
    else ${NO_LABELS}::integer end`;
