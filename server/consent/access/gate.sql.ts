import type {
  ConsentRecordId,
  CredentialId,
  DataMask,
  GrantId,
  PatientId,
  ProjectId,
} from '../../../contract/brands.ts';
import { isPasswordCurrent } from '../../identity/patients/patients.sql.ts';
import { asLookUp, raw, sql, type Sql } from '../../platform/db/sql.ts';
import { OWN_WITHHELD, resolveProgramWithheld } from './withheld.sql.ts';
import { isAheadOfStore, latestNow } from '../../platform/db/store-clock.ts';
import { NO_LABELS } from './sensitivity-labels.ts';

export interface GateRow {
  /** Whether the patient exists. */
  known: boolean;
  /** Whether they are enrolled in the project. */
  enrolled: boolean;
  /** Whether they consent now, and the grant of the token has neither been revoked nor ended. */
  permitted: boolean;
  /** Why not, for the operator's log; null when permitted. */
  reason: string | null;
  consent_record_id: ConsentRecordId | null;
  /** The mask of the categories and classes that the consent leaves out, and the grant of an app besides. */
  withheld: DataMask | null;
  /** The answers by name, as one JSON object; null unless permitted. */
  rows: string | null;
}

interface GateInput {
  patientId: PatientId;
  projectId: ProjectId;
  /** The grant of an OAuth token, which must be in force too; null for a token without one. */
  grantId: GrantId | null;
  /** The password of a token without a grant, which must be the current one. */
  credentialId: CredentialId | null;
  /** By the store's clock; the node's has been asked. */
  tokenExpiresAt: Date;
  now: Date;
}

/**
 * Inside the queries of a statement of `withConsentGate`: the mask of what the consent and the grant leave out. The column of
 * the one row that the queries are an answer for: a select of it was a plan of its own at each of forty places.
 */
export const WITHHELD: Sql = raw('gate.withheld');

/** Builds one statement that checks the consent and runs the queries only where it holds; a look-up where all of them are. */
export function withConsentGate(input: GateInput, queries: Readonly<Record<string, Sql>>): Sql<GateRow> {
  const statement = buildGatedStatement(input, queries);
  return Object.values(queries).every(({ isLookUp }) => isLookUp === true) ? asLookUp(statement) : statement;
}

/** Of whom a gate asks: values, or columns of a row for each call. */
interface GateSubject {
  patientId: PatientId | Sql;
  projectId: ProjectId | Sql;
  grantId: GrantId | Sql | null;
  tokenExpiresAt: Date | Sql;
  /** The mask of what the grant `g` leaves out. */
  grantWithheld: Sql | undefined;
  /** A condition on the grant `g`. */
  isGrantInForce: Sql;
  isPasswordCurrent: Sql;
  now: Date;
}

/** Selects what the consent permits now, in one row. */
const selectGate = ({ patientId, projectId, grantId, now, ...subject }: GateSubject): Sql => sql`
      select p.patient_id is not null as known, e.patient_id is not null as enrolled, c.consent_record_id, c.decided_at,
        ${resolveProgramWithheld(now, subject.grantWithheld)} as withheld,
        coalesce(e.patient_id is not null and c.consent_status = 'OPTED_IN' and c.expires_at > ${latestNow(now)}
          and ${isAheadOfStore(subject.tokenExpiresAt)} and ${subject.isGrantInForce} and ${subject.isPasswordCurrent}, false) as permitted,
        case when c.patient_id is null then 'no consent' when c.consent_status <> 'OPTED_IN' then 'consent withdrawn'
          when c.expires_at <= ${latestNow(now)} then 'consent expired' else 'token revoked or expired' end as reason
      from (select 1) always
      left join patient p on p.patient_id = ${patientId}
      left join enrollment e on e.patient_id = ${patientId} and e.project_id = ${projectId}
      left join oauth_grant g on g.patient_id = ${patientId} and g.grant_id = ${grantId}
      left join consent c on c.patient_id = ${patientId} and c.project_id = ${projectId}
        and c.consent_type = 'PATIENT_DIRECTED_DATA_EXCHANGE'`;

/** Selects it for each row of `call (patient_id, project_id, grant_id, credential_id, token_expires_at)`. */
export const selectGateOfCall = (now: Date): Sql =>
  selectGate({
    patientId: raw('call.patient_id'),
    projectId: raw('call.project_id'),
    grantId: raw('call.grant_id'),
    tokenExpiresAt: raw('call.token_expires_at'),
    grantWithheld: sql`coalesce(g.withheld, ${NO_LABELS}::integer)`,
    isGrantInForce: sql`(call.grant_id is null or ${isGrantInForce(now)})`,
    isPasswordCurrent: sql`(call.credential_id is null or ${isPasswordCurrent(raw('call.patient_id'), raw('call.credential_id'))})`,
    now,
  });

function buildGatedStatement(
  { credentialId, ...input }: GateInput,
  queries: Readonly<Record<string, Sql>>,
): Sql<GateRow> {
  const { patientId, grantId, now } = input;
  const gate = selectGate({
    ...input,
    grantWithheld: grantId === null ? undefined : raw('g.withheld'),
    isGrantInForce: grantId === null ? raw('true') : isGrantInForce(now),
    isPasswordCurrent: credentialId === null ? raw('true') : isPasswordCurrent(patientId, credentialId),
  });
  return sql<GateRow>`
    with gate as materialized (${gate})
    select known, enrolled, permitted, case when not permitted then reason end as reason, consent_record_id, withheld,
      case when permitted then ${buildAnswers(queries)} end as rows
    from gate`;
}

/**
 * Builds one statement that runs the queries for the patient themselves: its mask leaves out nothing but what is restricted of a test
 * patient's fetched records. `readOwnRecord` alone runs it, with an access that only the patient's session gives.
 */
export const withoutConsentGate = (patientId: PatientId, queries: Readonly<Record<string, Sql>>) => sql<{
  rows: string | null;
}>`
  with gate as materialized (select p.patient_id, ${OWN_WITHHELD} as withheld from patient p where p.patient_id = ${patientId})
  select (select ${buildAnswers(queries)} from gate) as rows`;

/** One JSON object of the answers by name. */
const buildAnswers = (queries: Readonly<Record<string, Sql>>): Sql => {
  const answers = Object.entries(queries).reduce(
    (joined, [name, query], index) =>
      sql`${joined}${raw(index === 0 ? '' : ', ')}${quoteName(name)}, (select coalesce(json_agg(answer), '[]'::json) from (${query}) answer)`,
    sql``,
  );
  return sql`json_build_object(${answers})`;
};

/** A grant that was revoked with an earlier consent stays revoked under a later one; one may end before its consent. */
const isGrantInForce = (now: Date): Sql =>
  sql`g.grant_id is not null and g.revoked_at is null and g.expires_at > ${latestNow(now)}`;

/** Quotes a query's name, which is an identifier of the code; anything else is a programming error. */
function quoteName(name: string): Sql {
  if (!/^[A-Za-z]+$/.test(name)) throw new Error(`not a query name: ${name}`);
  return raw(`'${name}'`);
}
