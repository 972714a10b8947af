import type { PatientCaller } from '../../contract/audience.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../../contract/ids.ts';
import type { Clock } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';
import { one, type Db } from '../storage/db.ts';
import { sql, type Sql } from '../storage/sql.ts';

declare const held: unique symbol;

/** The permission to ask for a patient's record; only this room makes one. What it permits is settled when it is used. */
export interface RecordAccess {
  readonly [held]: true;
  readonly patientId: PatientId;
  readonly projectId: ProjectId;
}

declare const gated: unique symbol;

/** A query on a patient's record. The database does not take it as it is: only `readRecord` runs it, behind the consent check. */
export interface RecordQuery<Row> {
  readonly [gated]: true;
  readonly statement: Sql<Row>;
}

/** Access to the caller's own record under the consent of their project, `PATIENT_DIRECTED_DATA_EXCHANGE`. */
export const accessOf = (caller: PatientCaller): RecordAccess =>
  ({ patientId: caller.patientId, projectId: caller.projectId }) as RecordAccess;

/** Turns a statement about one patient into a record query. Whoever has no `RecordAccess` cannot. */
export const recordQuery = <Row>(_access: RecordAccess, statement: Sql<Row>): RecordQuery<Row> =>
  ({ statement }) as RecordQuery<Row>;

export type RowsOf<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends RecordQuery<infer Row> ? Row[] : never;
};

export interface RecordReading<Queries> {
  rows: RowsOf<Queries>;
  /** The record under which it was permitted. */
  consentRecordId: ConsentRecordId;
}

interface GateRow {
  known: boolean;
  enrolled: boolean;
  permitted: boolean;
  consent_record_id: ConsentRecordId | null;
  rows: string | null;
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
): Promise<RecordReading<Queries>> {
  const gate = await one(db, behindConsent(access, queries, clock.now()));
  if (!gate.known) throw new Refusal(404, 'patient_not_found', { detail: 'Patient context not found' });
  if (!gate.enrolled) throw new Refusal(403, 'invalid_project', { detail: 'Invalid Project' });
  if (!gate.permitted) throw new Refusal(403, 'access_revoked', { detail: 'Data Access is revoked!' });
  return {
    rows: JSON.parse(gate.rows ?? '{}') as RowsOf<Queries>,
    consentRecordId: gate.consent_record_id as ConsentRecordId,
  };
}

function behindConsent(access: RecordAccess, queries: Record<string, RecordQuery<unknown>>, now: Date): Sql<GateRow> {
  const answers = Object.values(queries).map(({ statement }) => sql`(select coalesce(json_agg(answer), '[]'::json) from (${statement}) answer)`);
  const names = Object.keys(queries);
  const object = answers.reduce(
    (so, answer, index) => sql`${so}${separator(index)}${literal(names[index] as string)}, ${answer}`,
    sql``,
  );
  return sql<GateRow>`
    with gate as materialized (
      select p.patient_id is not null as known, e.patient_id is not null as enrolled, c.consent_record_id,
        coalesce(e.patient_id is not null and c.consent_status = 'OPTED_IN' and c.expires_at > ${now}, false) as permitted
      from (select 1) always
      left join patient p on p.patient_id = ${access.patientId}
      left join enrollment e on e.patient_id = ${access.patientId} and e.project_id = ${access.projectId}
      left join consent c on c.patient_id = ${access.patientId} and c.project_id = ${access.projectId}
        and c.consent_type = 'PATIENT_DIRECTED_DATA_EXCHANGE')
    select known, enrolled, permitted, consent_record_id,
      case when permitted then json_build_object(${object}) end as rows
    from gate`;
}

const separator = (index: number): Sql => (index === 0 ? sql`` : { text: ', ', values: [] });

/** Names are the code's own identifiers; anything else would be a mistake in the code. */
function literal(name: string): Sql {
  if (!/^[A-Za-z]+$/.test(name)) throw new Error(`not a query name: ${name}`);
  return { text: `'${name}'`, values: [] };
}
