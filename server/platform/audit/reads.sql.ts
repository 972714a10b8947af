import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../db/sql.ts';

/** A condition on an entry: somebody was given something of a record. */
const isRead = (entry: string): Sql =>
  raw(
    `${entry}.outcome = 'success' and ${entry}.action in ('mcp.tools_call', 'fhir.everything', 'fhir.read')`,
  );

/** What stands for all who read as a partner, in the place of a client. */
export const ORGANIZATION_READER = 'organization';

export interface ReadsRow {
  patient_id: PatientId;
  /** The id of the patient's client, or `ORGANIZATION_READER`. */
  reader: string;
  hour: Date;
  reads: number;
  first_at: Date;
}

/** Counts the reads in an organization's blocks after one and up to another. An entry is in one block, whenever it was committed. */
export const selectReadsOfBlocks = (
  organizationId: OrganizationId,
  { after, upTo }: { after: number; upTo: number },
) => sql<ReadsRow>`
  select e.patient_id, case e.actor_kind when 'patient' then coalesce(e.client, 'direct') else ${ORGANIZATION_READER} end as reader,
    date_trunc('hour', e.at, 'UTC') as hour, count(*) as reads, min(e.at) as first_at
  from audit_entry e
  where e.organization_id = ${organizationId} and e.block > ${after} and e.block <= ${upTo}
    and e.patient_id is not null and ${isRead('e')}
  group by 1, 2, 3 order by 1, 2, 3`;

/** A subquery: the number of an organization's newest block. Its value may be a column of the query around it. */
export const newestBlock = (organizationId: Sql): Sql => sql`(
    select b.block from audit_block b where b.organization_id = ${organizationId} order by b.block desc limit 1)`;

/** A condition on an entry: a patient read their own record by their own token, which is no use of a consent. */
const isOwnRead = (entry: string): Sql =>
  raw(`${entry}.actor_kind = 'patient' and ${entry}.action <> 'mcp.tools_call'`);

/**
 * A subquery: when a record was last read for a project, or by the project's organization. Its values may be columns of the
 * query around it, but for one that is called `used`: those would be the entry's own.
 */
export const lastUsedAt = (use: { organizationId: Sql; patientId: Sql; projectId: Sql }): Sql => sql`(
    select used.at from audit_entry used
    where used.organization_id = ${use.organizationId} and used.patient_id = ${use.patientId}
      and (used.project_id is null or used.project_id = ${use.projectId}) and ${isRead('used')}
      and not (${isOwnRead('used')})
    order by used.entry_id desc limit 1)`;

/** More reads than this are not counted: a number that large says no more. */
export const MAX_COUNTED_READS = 1000;

/** Clients, each with what its reads are counted for, such as the app that it belongs to. */
export interface ReadingClient {
  key: string;
  client: string;
}

/** Counts the reads of clients since a time, up to `MAX_COUNTED_READS`, and selects the last one; by their keys. */
export const selectReadsOfClients = (
  organizationId: OrganizationId,
  clients: readonly ReadingClient[],
  since: Date,
) => sql<{ key: string; reads: number; last_at: Date }>`
  select a.key, least(count(*) filter (where r.at >= ${since}), ${MAX_COUNTED_READS})::integer as reads, max(r.at) as last_at
  from unnest(${clients.map(({ key }) => key)}::text[], ${clients.map(({ client }) => client)}::text[]) as a(key, client)
  cross join lateral (
    select e.at from audit_entry e
    where e.organization_id = ${organizationId} and e.client = a.client and ${isRead('e')}
    order by e.entry_id desc limit ${MAX_COUNTED_READS}) r
  group by a.key`;
