import type { PatientId } from '../../../../contract/brands.ts';
import { sql } from '../../../platform/db/sql.ts';

export const findConversionTime = (patientId: PatientId, now: Date) => sql<{ used_ms: number }>`
  select used_ms from conversion_time where patient_id = ${patientId} and window_ends > ${now}`;

/** Adds to the time that was used, in a new window where the last has passed; does nothing where the record is gone. */
export const addConversionTime = (
  patientId: PatientId,
  usedMs: number,
  window: { now: Date; ends: Date },
) => sql`
  insert into conversion_time as known (patient_id, window_ends, used_ms)
  select patient_id, ${window.ends}::timestamptz, ${usedMs}::integer from record_head where patient_id = ${patientId}
  on conflict (patient_id) do update set
    window_ends = case when known.window_ends <= ${window.now} then excluded.window_ends else known.window_ends end,
    used_ms = case when known.window_ends <= ${window.now} then excluded.used_ms else known.used_ms + excluded.used_ms end`;
