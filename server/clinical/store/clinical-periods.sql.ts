import type { PatientId } from '../../../contract/brands.ts';
import { bigintArray } from '../../platform/db/array-values.ts';
import { isSeqOf } from './among-seqs.sql.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/** The days of the care that a resource is about, both included; `-infinity` and `infinity` where it states no end. */
export interface ClinicalPeriod {
  first: string;
  last: string;
}

type ResourcePeriod = { seq: number; period: ClinicalPeriod };

const unnestPeriods = (rows: readonly ResourcePeriod[]): Sql => sql`
  unnest(${bigintArray(rows.map(({ seq }) => seq))}, ${rows.map(({ period }) => period.first)}::date[],
    ${rows.map(({ period }) => period.last)}::date[]) as n(seq, first_day, last_day)`;

/**
 * Finds which clinical periods differ from those stored. Each is looked up by its key, as in `resources.sql.ts`: where statistics do
 * not know the record, an update that compared them read all of it for each page of it.
 */
export const findOtherPeriods = (patientId: PatientId, rows: readonly ResourcePeriod[]) => sql<{
  seq: number;
}>`
  select n.seq from ${unnestPeriods(rows)}
  cross join lateral (
    select first_day, last_day from resource
    where patient_id = ${patientId} and seq between n.seq and n.seq order by seq offset 0) stored
  where (stored.first_day, stored.last_day) <> (n.first_day, n.last_day)`;

/** Stores clinical periods: what a resource says is the same, so it has not changed. */
export const updatePeriods = (patientId: PatientId, rows: readonly ResourcePeriod[]) => sql`
  update resource r set first_day = n.first_day, last_day = n.last_day
  from ${unnestPeriods(rows)} where r.patient_id = ${patientId} and ${isSeqOf(rows, 'r')} and r.seq = n.seq`;
