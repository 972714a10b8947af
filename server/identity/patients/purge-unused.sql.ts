import type { PatientId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

/** Who takes part, has an account, or ever came to an invitation: nobody decides or has a record without. */
const isUsed = (patientId: Sql): Sql => sql`(
  exists (select from enrollment r where r.patient_id = ${patientId})
  or exists (select from patient_password r where r.patient_id = ${patientId})
  or exists (select from past_enrollment r where r.patient_id = ${patientId} and r.had_come is distinct from false))`;

/** Finds persons whom an organization wrote, whose last enrollment ended before a time, and who never came. */
export const findUnusedPersons = (endedBefore: Date, limit: number) => sql<{ patient_id: PatientId }>`
  select patient_id from past_enrollment e
  where exists (select from patient p where p.patient_id = e.patient_id and p.test_organization_id is null)
    and not ${isUsed(raw('e.patient_id'))}
  group by patient_id having max(ended_at) < ${endedBefore} limit ${limit}`;

/** Locks such a person, which an enrollment or a first password waits for; no row where one of them came before. */
export const lockUnusedPerson = (patientId: PatientId) => sql<{ patient_id: PatientId }>`
  select patient_id from patient p where p.patient_id = ${patientId} and not ${isUsed(sql`${patientId}::uuid`)} for update`;
