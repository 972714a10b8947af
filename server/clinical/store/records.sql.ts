import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import { READING_VERSION } from './reading-version.ts';

/** Inserts the records of new patients: every patient has one from the start, and writers take turns by the lock on its row. */
export const insertRecordHeads = (patientIds: readonly PatientId[]) => sql`
  insert into record_head (patient_id, next_seq, total, read_version)
  select unnest(${patientIds}::uuid[]), 1, 0, ${READING_VERSION}::integer`;

/** Lists all records, a page at a time, for the one job that goes through every patient: reindexing. */
export const listRecordsAfter = (after: PatientId, limit: number) => sql<{ patient_id: PatientId }>`
  select patient_id from record_head where patient_id > ${after} order by patient_id limit ${limit}`;

/** A condition on a row of `record_head`: all its resources were not read by the present rules, or later ones. */
const isReadBefore = (version: number) => sql`total > 0 and coalesce(read_version, 0) < ${version}`;

/** Notes that all resources of a record were read by these rules. */
export const updateReadingVersion = (patientId: PatientId, version: number) => sql`
  update record_head set read_version = ${version}, document_key = coalesce(document_key, gen_random_uuid())
  where patient_id = ${patientId} and (read_version is distinct from ${version}::integer or document_key is null)`;

/** Finds the next record that was read by earlier rules. */
export const findRecordReadBefore = (after: PatientId, version: number) => sql<{ patient_id: PatientId }>`
  select patient_id from record_head
  where patient_id > ${after} and ${isReadBefore(version)} order by patient_id limit 1`;

export const countRecordsReadBefore = (version: number) => sql<{ count: number }>`
  select count(*)::integer as count from record_head where ${isReadBefore(version)}`;
