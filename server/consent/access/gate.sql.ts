import type { ConsentRecordId, GrantId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

export interface GateRow {
  /** The patient exists. */
  known: boolean;
  /** They are enrolled in the project. */
  enrolled: boolean;
  /** They consent now. */
  permitted: boolean;
  consent_record_id: ConsentRecordId | null;
  /** What the consent leaves out, a bit for each category and class. */
  withheld: number | null;
  /** The answers by name, as one JSON object; null unless permitted. */
  rows: string | null;
}

interface GateInput {
  patientId: PatientId;
  projectId: ProjectId;
  /** Of an OAuth token; it must be in force too. */
  grantId: GrantId | null;
  now: Date;
}

/** In the queries of a reading: what the consent that permits it leaves out. */
export const WITHHELD: Sql = raw('(select withheld from gate)');

/** One statement that checks the consent and, only where it holds, answers the queries: the rest is not even executed. */
export function withConsentGate(
  { patientId, projectId, grantId, now }: GateInput,
  queries: Readonly<Record<string, Sql>>,
): Sql<GateRow> {
  const answers = Object.entries(queries).reduce(
    (joined, [name, query], index) =>
      sql`${joined}${raw(index === 0 ? '' : ', ')}${quoteName(name)}, (select coalesce(json_agg(answer), '[]'::json) from (${query}) answer)`,
    sql``,
  );
  return sql<GateRow>`
    with gate as materialized (
      select p.patient_id is not null as known, e.patient_id is not null as enrolled, c.consent_record_id, c.withheld,
        coalesce(e.patient_id is not null and c.consent_status = 'OPTED_IN' and c.expires_at > ${now}
          and ${isGrantInForce(grantId)}, false) as permitted
      from (select 1) always
      left join patient p on p.patient_id = ${patientId}
      left join enrollment e on e.patient_id = ${patientId} and e.project_id = ${projectId}
      left join oauth_grant g on g.patient_id = ${patientId} and g.grant_id = ${grantId}
      left join consent c on c.patient_id = ${patientId} and c.project_id = ${projectId}
        and c.consent_type = 'PATIENT_DIRECTED_DATA_EXCHANGE')
    select known, enrolled, permitted, consent_record_id, withheld,
      case when permitted then json_build_object(${answers}) end as rows
    from gate`;
}

/** A grant that ended with an earlier consent does not come back with a later one. */
const isGrantInForce = (grantId: GrantId | null): Sql =>
  grantId === null ? raw('true') : raw('g.grant_id is not null and g.revoked_at is null');

/** Names are the code's own identifiers; anything else would be a mistake in the code. */
function quoteName(name: string): Sql {
  if (!/^[A-Za-z]+$/.test(name)) throw new Error(`not a query name: ${name}`);
  return raw(`'${name}'`);
}
