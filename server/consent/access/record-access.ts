import type { PatientCaller, PatientSession } from '../../../contract/audience.ts';
import type {
  ConsentRecordId,
  CredentialId,
  DataMask,
  GrantId,
  PatientId,
  ProjectId,
} from '../../../contract/brands.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { one, type Db } from '../../platform/db/db.ts';
import type { Sql } from '../../platform/db/sql.ts';
import { NO_LABELS } from './sensitivity-labels.ts';
import { withConsentGate, withoutConsentGate, WITHHELD } from './gate.sql.ts';

declare const accessBrand: unique symbol;
declare const ownBrand: unique symbol;

/** The permission to query a patient's record; only this module creates one. Each statement checks anew what it permits. */
export interface RecordAccess {
  readonly [accessBrand]: true;
  readonly patientId: PatientId;
  /**
   * SQL of the mask of what is left out, for queries to compare with the column `required_labels`. The database fills it in
   * as it reads, so that a choice made a moment ago counts: under a consent what it withholds, for the patient nothing. It
   * is the statement that decides, not the access that a query was built with.
   */
  readonly withheld: Sql;
}

/** The permission of a program that a patient lets read, under their consent to a project. */
export interface ConsentedAccess extends RecordAccess {
  readonly projectId: ProjectId;
  readonly grantId: GrantId | null;
  readonly credentialId: CredentialId | null;
  readonly tokenExpiresAt: Date;
}

/**
 * The permission of a signed-in patient to read all of their own record; no consent is asked, since it is theirs. Of a test patient's
 * fetched records what is restricted is left out, as by their own token (`OWN_WITHHELD`).
 */
export interface OwnAccess extends RecordAccess {
  readonly [ownBrand]: true;
}

declare const queryBrand: unique symbol;

/** A query on a patient's record. The database driver does not accept it: only `readRecord` runs it, behind the consent check. */
export interface RecordQuery<Row> {
  readonly [queryBrand]: true;
  readonly statement: Sql<Row>;
}

/** The same permission for each of several calls, in a statement that asks for all of them: SQL in the place of values. */
export interface JointAccess {
  readonly [accessBrand]: true;
  readonly patientId: Sql;
  readonly projectId: Sql;
  readonly withheld: Sql;
}

/** Creates the access to the caller's own record, under their consent to their project and the grant of their token. */
export const recordAccessFor = (caller: PatientCaller): ConsentedAccess =>
  ({
    patientId: caller.patientId,
    projectId: caller.projectId,
    grantId: caller.grantId,
    credentialId: caller.credentialId,
    tokenExpiresAt: caller.tokenExpiresAt,
    withheld: WITHHELD,
  }) as ConsentedAccess;

/** Creates the access of the patient who is signed in to their own record. */
export const ownAccessFor = ({ patientId }: PatientSession): OwnAccess =>
  ({ patientId, withheld: WITHHELD }) as OwnAccess;

/** Turns a statement about one patient into a record query; it takes a `RecordAccess` to call it. */
export const toRecordQuery = <Row>(
  _access: RecordAccess | JointAccess,
  statement: Sql<Row>,
): RecordQuery<Row> => ({ statement }) as RecordQuery<Row>;

/** The queries of a call by name; null for one that the call has no use for, which finds nothing. */
export type RecordQueries = Readonly<Record<string, RecordQuery<unknown> | null>>;

export type QueryRows<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends RecordQuery<infer Row> | null ? Row[] : never;
};

export interface RecordReadResult<Queries> {
  rows: QueryRows<Queries>;
  /** The consent record that permitted it. */
  consentRecordId: ConsentRecordId;
  /** The mask of what that consent leaves out; see `sensitivity-labels.ts`. */
  withheld: DataMask;
}

/**
 * Reads a record under consent: one statement checks the consent and, only where it holds, runs the queries, so that no
 * withdrawal can fall between the check and the read. Days come as YYYY-MM-DD, numbers as JSON writes them.
 * Throws `patient_not_found`, `invalid_project` or `access_revoked`.
 */
export async function readRecord<Queries extends RecordQueries>(
  { db, clock }: { db: Db; clock: Clock },
  access: ConsentedAccess,
  queries: Queries,
): Promise<RecordReadResult<Queries>> {
  const gate = await one(db, withConsentGate({ ...access, now: clock.now() }, toStatements(queries)));
  if (!gate.known) throw new Refusal(404, 'patient_not_found', { detail: 'Patient context not found' });
  if (!gate.enrolled) throw new Refusal(403, 'invalid_project', { detail: 'Invalid Project' });
  if (!gate.permitted)
    throw new Refusal(403, 'access_revoked', {
      detail: 'Data Access is revoked!',
      reason: gate.reason ?? 'not permitted',
    });
  return {
    rows: parseRows(queries, gate.rows),
    consentRecordId: gate.consent_record_id as ConsentRecordId,
    withheld: gate.withheld ?? NO_LABELS,
  };
}

/** Reads a patient's own record for them, by the same queries. */
export async function readOwnRecord<Queries extends RecordQueries>(
  db: Db,
  { patientId }: OwnAccess,
  queries: Queries,
): Promise<QueryRows<Queries>> {
  const { rows } = await one(db, withoutConsentGate(patientId, toStatements(queries)));
  return parseRows(queries, rows);
}

const toStatements = (queries: RecordQueries): Record<string, Sql> =>
  Object.fromEntries(
    Object.entries(queries).flatMap(([name, query]) => (query === null ? [] : [[name, query.statement]])),
  );

const parseRows = <Queries extends RecordQueries>(
  queries: Queries,
  rows: string | null,
): QueryRows<Queries> => {
  const nothing = Object.entries(queries).flatMap(([name, query]) => (query === null ? [[name, []]] : []));
  return { ...Object.fromEntries(nothing), ...JSON.parse(rows ?? '{}') } as QueryRows<Queries>;
};
