import type { PatientId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';

export interface HeldDayRow {
  patient_id: PatientId;
  /** As 2026-11-20, in UTC. */
  day: string;
}

/** Selects a page of the days on which uploads began to wait for the answers of patients, while they still do. */
export const selectHeldDays = (
  held: { from: Date; until: Date },
  after: { patientId: PatientId; day: string },
  limit: number,
) => sql<HeldDayRow>`
  select * from (
    select distinct patient_id, to_char(held_at at time zone 'UTC', 'YYYY-MM-DD') as day from upload_batch
    where status = 'needs_confirmation' and held_at > ${held.from} and held_at <= ${held.until}) waiting
  where (patient_id, day) > (${after.patientId}::uuid, ${after.day}::text)
  order by patient_id, day limit ${limit}`;
