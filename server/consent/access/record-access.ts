import type { PatientCaller } from '../../../contract/audience.ts';
import type { ConsentRecordId, GrantId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { one, type Db } from '../../platform/db/db.ts';
import type { Sql } from '../../platform/db/sql.ts';
import { withConsentGate, WITHHELD } from './gate.sql.ts';

declare const accessBrand: unique symbol;

/** The permission to ask for a patient's record; only this room makes one. What it permits is settled when it is used. */
export interface RecordAccess {
  readonly [accessBrand]: true;
  readonly patientId: PatientId;
  readonly projectId: ProjectId;
  readonly grantId: GrantId | null;
  /**
   * What the consent leaves out of the record, for the queries themselves: a bit for each category and class, to be
   * compared with the column `needs`. The database fills it in as it reads, so that a choice made a moment ago counts.
   */
  readonly withheld: Sql;
}

declare const queryBrand: unique symbol;

/** A query on a patient's record. The database does not take it as it is: only `readRecord` runs it, behind the consent check. */
export interface RecordQuery<Row> {
  readonly [queryBrand]: true;
  readonly statement: Sql<Row>;
}

/** Access to the caller's own record under the consent of their project, `PATIENT_DIRECTED_DATA_EXCHANGE`, and the grant of their token. */
export const recordAccessFor = (caller: PatientCaller): RecordAccess =>
  ({
    patientId: caller.patientId,
    projectId: caller.projectId,
    grantId: caller.grantId,
    withheld: WITHHELD,
  }) as RecordAccess;

/** Turns a statement about one patient into a record query. Whoever has no `RecordAccess` cannot. */
export const toRecordQuery = <Row>(_access: RecordAccess, statement: Sql<Row>): RecordQuery<Row> =>
  ({ statement }) as RecordQuery<Row>;

export type QueryRows<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends RecordQuery<infer Row> ? Row[] : never;
};

export interface RecordReadResult<Queries> {
  rows: QueryRows<Queries>;
  /** The record under which it was permitted. */
  consentRecordId: ConsentRecordId;
  /** What that leaves out; see `data-classes.ts`. */
  withheld: number;
}

/**
 * Reads under consent: one statement that checks the consent and, only where it holds, answers the queries, so that
 * no withdrawal can fall between the check and the reading. Days come as YYYY-MM-DD, numbers as JSON writes them.
 * Throws `patient_not_found`, `invalid_project` or `access_revoked`.
 */
export async function readRecord<Queries extends Record<string, RecordQuery<unknown>>>(
  { db, clock }: { db: Db; clock: Clock },
  access: RecordAccess,
  queries: Queries,
): Promise<RecordReadResult<Queries>> {
  const statements = Object.fromEntries(
    Object.entries(queries).map(([name, { statement }]) => [name, statement]),
  );
  const gate = await one(db, withConsentGate({ ...access, now: clock.now() }, statements));
  if (!gate.known) throw new Refusal(404, 'patient_not_found', { detail: 'Patient context not found' });
  if (!gate.enrolled) throw new Refusal(403, 'invalid_project', { detail: 'Invalid Project' });
  if (!gate.permitted) throw new Refusal(403, 'access_revoked', { detail: 'Data Access is revoked!' });
  return {
    rows: JSON.parse(gate.rows ?? '{}') as QueryRows<Queries>,
    consentRecordId: gate.consent_record_id as ConsentRecordId,
    withheld: gate.withheld ?? 0,
  };
}
