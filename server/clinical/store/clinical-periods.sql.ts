import type { PatientId } from '../../../contract/brands.ts';
import { bigintArray } from '../../platform/db/array-values.ts';
import { sql } from '../../platform/db/sql.ts';

/** The days of the care that a resource is about, both included; `-infinity` and `infinity` where it states no end. */
export interface ClinicalPeriod {
  first: string;
  last: string;
}

/** Stores clinical periods that differ from those stored: what a resource says is the same, so it has not changed. */
export const updatePeriods = (
  patientId: PatientId,
  rows: readonly { seq: number; period: ClinicalPeriod }[],
) => sql`
  update resource r set first_day = n.first_day, last_day = n.last_day
  from unnest(${bigintArray(rows.map(({ seq }) => seq))}, ${rows.map(({ period }) => period.first)}::date[],
    ${rows.map(({ period }) => period.last)}::date[]) as n(seq, first_day, last_day)
  where r.patient_id = ${patientId} and r.seq = n.seq and (r.first_day, r.last_day) <> (n.first_day, n.last_day)`;
