import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

/** A condition on a row of `record_head`: all its resources were not read by the present rules, or later ones. */
const isReadBefore = (version: number) => sql`total > 0 and coalesce(read_version, 0) < ${version}`;

/** Notes that all resources of a record were read by these rules. */
export const updateReadingVersion = (patientId: PatientId, version: number) => sql`
  update record_head set read_version = ${version}
  where patient_id = ${patientId} and read_version is distinct from ${version}::integer`;

/** Finds the next record that was read by earlier rules. */
export const findRecordReadBefore = (after: PatientId, version: number) => sql<{ patient_id: PatientId }>`
  select patient_id from record_head
  where patient_id > ${after} and ${isReadBefore(version)} order by patient_id limit 1`;

export const countRecordsReadBefore = (version: number) => sql<{ count: number }>`
  select count(*)::integer as count from record_head where ${isReadBefore(version)}`;
