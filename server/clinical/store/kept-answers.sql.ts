import type { DataMask, PatientId } from '../../../contract/brands.ts';
import {
  toRecordQuery,
  type JointAccess,
  type RecordAccess,
  type RecordQuery,
} from '../../consent/access/record-access.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/** What an answer is made of besides the record and the consent. */
export interface AnswerKey {
  tool: string;
  /** Windows and notes of age depend on the day: YYYY-MM-DD. */
  day: string;
  /** The code that makes the texts. */
  build: string;
}

export interface KeptAnswer<Disclosure> {
  text: string;
  disclosure: Disclosure;
}

/**
 * Finds the answer that was made of the present version of the record, for the mask that the gate reads in the same statement, where
 * the condition holds besides.
 */
export const findKeptAnswer = (
  { access, tool, isCurrent }: { access: JointAccess; tool: Sql; isCurrent: Sql },
  { day, build }: Omit<AnswerKey, 'tool'>,
): RecordQuery<KeptAnswer<unknown>> =>
  toRecordQuery(
    access,
    sql<KeptAnswer<unknown>>`
      select text, disclosure from kept_answer
      where patient_id = ${access.patientId} and kept_answer.withheld = ${access.withheld} and tool = ${tool}
        and day = ${day}::date and build = ${build}
        and version = (select version from record_head where patient_id = ${access.patientId}) and ${isCurrent}`,
  );

/** Finds the version of the record that the other queries of the statement read. */
export const findRecordVersion = (access: RecordAccess) =>
  toRecordQuery(
    access,
    sql<{ version: number }>`select version from record_head where patient_id = ${access.patientId}`,
  );

/** The version of a record, and the mask under which an answer was made of it. */
export interface AnswerBasis {
  version: number;
  withheld: DataMask;
}

/**
 * Inserts an answer, or replaces that of an earlier version, unless the record has changed, is being changed, or was deleted
 * since it was read: the lock that is shared here is the one that writers and deletions take, and nobody waits for it.
 */
export const upsertKeptAnswer = (
  patientId: PatientId,
  { version, withheld }: AnswerBasis,
  { tool, day, build, text, disclosure }: AnswerKey & KeptAnswer<unknown>,
) => sql`
  insert into kept_answer (patient_id, withheld, tool, version, day, build, text, disclosure)
  select patient_id, ${withheld}::integer, ${tool}, version, ${day}::date, ${build}, ${text}, ${JSON.stringify(disclosure)}::json
  from record_head where patient_id = ${patientId} and version = ${version} for share skip locked
  on conflict (patient_id, withheld, tool) do update
  set version = excluded.version, day = excluded.day, build = excluded.build, text = excluded.text, disclosure = excluded.disclosure`;

/** Deletes the answers of a record that has changed: they may hold what was taken out of it. */
export const deleteKeptAnswers = (patientId: PatientId) => sql`
  delete from kept_answer where patient_id = ${patientId}`;

/** Deletes the answers of earlier days, which nobody reads any more. */
export const deleteKeptAnswersBefore = (day: string) => sql`
  delete from kept_answer where day < ${day}::date`;
