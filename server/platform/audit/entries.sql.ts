import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { READ_ACTIONS } from '../../../contract/organization/audit-events.ts';
import { raw, sql, type Sql } from '../db/sql.ts';
import { toIdBound } from '../kernel/ids.ts';
import { PATIENT_ACTIONS } from './actions.ts';

export interface LogPage {
  limit: number;
  /** Entries older than this one. */
  before?: string | undefined;
}

export interface AuditEntryRow {
  entry_id: string;
  at: Date;
  action: string;
  outcome: 'success' | 'refused' | 'failed';
  actor_kind: 'patient' | 'admin' | 'researcher' | 'member' | 'system';
  actor_id: string;
  client: string | null;
  project_id: string | null;
  consent_record_id: string | null;
  /** JSON. */
  detail: string;
}

const isOlderThan = (before: string | undefined): Sql =>
  before === undefined ? raw('true') : sql`e.entry_id < ${before}`;

/**
 * A condition on an entry `e`: what a patient did with a part of the record that the organization does not share in is in
 * the patient's own log alone. The actions come first, for `detail` is parsed for each look at it.
 */
const isForOrganization = raw(`(
  e.action not in ('${PATIENT_ACTIONS.join("', '")}') or e.detail->>'patientsOnly' is null)`);

/** A subquery: a page of a patient's entries of one organization or of all, newest first. */
export const patientEntries = (
  { patientId, organizationId }: { patientId: PatientId; organizationId: OrganizationId | null },
  { limit, before }: LogPage,
): Sql => sql`(
    select * from audit_entry e
    where e.patient_id = ${patientId} and ${isOlderThan(before)}
      and ${organizationId === null ? raw('true') : sql`e.organization_id = ${organizationId} and ${isForOrganization}`}
    order by e.entry_id desc limit ${limit})`;

/** Selects a patient's newest entries of an organization; of these projects alone unless null. */
export const selectPatientEntries = (
  scope: { patientId: PatientId; organizationId: OrganizationId; projectIds: readonly ProjectId[] | null },
  limit: number,
) => sql<Omit<AuditEntryRow, 'detail'>>`
  select e.entry_id, e.at, e.action, e.outcome, e.actor_kind, e.actor_id, e.client, e.project_id, e.consent_record_id
  from audit_entry e
  where e.patient_id = ${scope.patientId} and e.organization_id = ${scope.organizationId} and ${isForOrganization}
    and ${scope.projectIds === null ? raw('true') : sql`e.project_id = any(${scope.projectIds}::uuid[])`}
  order by e.entry_id desc limit ${limit}`;

/** A subquery: the next entries of a patient in the order they happened. */
export const patientEntriesAfter = (patientId: PatientId, after: string, limit: number): Sql => sql`(
    select * from audit_entry e
    where e.patient_id = ${patientId} and e.entry_id > ${after}
    order by e.entry_id limit ${limit})`;

/**
 * A subquery: when a client last read a patient's record for a project. Its values may be columns of the query around it, but
 * for one that is called `used`: those would be the entry's own.
 */
export const lastReadAt = (read: {
  organizationId: Sql;
  patientId: Sql;
  projectId: Sql;
  client: Sql;
}): Sql => sql`(
    select used.at from audit_entry used
    where used.organization_id = ${read.organizationId} and used.patient_id = ${read.patientId}
      and used.project_id = ${read.projectId} and used.client = ${read.client}
      and used.action = 'mcp.tools_call' and used.outcome = 'success'
    order by used.entry_id desc limit 1)`;

export interface EntryFilter {
  organizationId: OrganizationId;
  actorKind?: AuditEntryRow['actor_kind'] | undefined;
  actorId?: string | undefined;
  action?: string | undefined;
  projectId?: ProjectId | undefined;
  patientId?: PatientId | undefined;
  client?: string | undefined;
  /** One of these. */
  clients?: readonly string[] | undefined;
  outcome?: AuditEntryRow['outcome'] | undefined;
  /** ISO 8601; the entries at this time and later. */
  since?: string | undefined;
  /** The entries before this time. */
  until?: string | undefined;
}

/** Ids are by the clock of `at`. One that ran backwards, or a store from before they were, is off by less than this. */
const MAX_ID_SKEW_MS = 24 * 3600 * 1000;

const toBound = (time: string, skewMs: number): string => toIdBound(new Date(Date.parse(time) + skewMs));

/** A condition on an entry `e`: it is of the filter. Each column has an index that ends with the id; a time narrows the ids. */
export const matchesFilter = (filter: EntryFilter): Sql => {
  const conditions = [
    sql`e.organization_id = ${filter.organizationId} and ${isForOrganization}`,
    // Literals, which the planner knows: there are indexes of what did not succeed, and of who is no patient.
    filter.actorKind !== undefined && raw(`e.actor_kind = '${ACTOR_KINDS[filter.actorKind]}'`),
    filter.actorId !== undefined && sql`e.actor_id = ${filter.actorId}`,
    filter.action !== undefined && sql`e.action = ${filter.action}`,
    filter.projectId !== undefined && sql`e.project_id = ${filter.projectId}`,
    filter.patientId !== undefined && sql`e.patient_id = ${filter.patientId}`,
    filter.client !== undefined && sql`e.client = ${filter.client}`,
    filter.clients !== undefined && sql`e.client = any(${filter.clients}::text[])`,
    filter.outcome !== undefined && raw(`e.outcome = '${OUTCOMES[filter.outcome]}'`),
    filter.since !== undefined &&
      sql`e.at >= ${filter.since}::timestamptz and e.entry_id >= ${toBound(filter.since, -MAX_ID_SKEW_MS)}`,
    filter.until !== undefined &&
      sql`e.at < ${filter.until}::timestamptz and e.entry_id < ${toBound(filter.until, MAX_ID_SKEW_MS)}`,
  ].filter((condition) => condition !== false);
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`);
};

const ACTOR_KINDS = {
  patient: 'patient',
  admin: 'admin',
  researcher: 'researcher',
  member: 'member',
  system: 'system',
} as const;

const OUTCOMES = { success: 'success', refused: 'refused', failed: 'failed' } as const;

/** A subquery: a page of an organization's entries, newest first. */
export const organizationEntries = (filter: EntryFilter, { limit, before }: LogPage): Sql => sql`(
    select * from audit_entry e where ${matchesFilter(filter)} and ${isOlderThan(before)}
    order by e.entry_id desc limit ${limit})`;

/** The reads of a record, by the tool of those that are tool calls. */
export interface ReadFilter extends EntryFilter {
  tool?: string | undefined;
  /** Why they were refused. */
  reason?: string | undefined;
}

/**
 * A subquery: a page of an organization's entries that are reads of records, newest first. Each action has its own range of an
 * index, unless what is asked for has one, in which most entries are reads.
 */
export const organizationReads = (
  { tool, reason, action: asked, ...rest }: ReadFilter,
  page: LogPage,
): Sql => {
  // A reason is looked for among what was refused, which is rare and has an index.
  const filter: EntryFilter = reason === undefined ? rest : { ...rest, outcome: 'refused' };
  const actions =
    tool !== undefined
      ? (['mcp.tools_call'] as const)
      : READ_ACTIONS.filter((action) => action === (asked ?? action));
  const isOfTool = tool === undefined ? raw('true') : sql`e.detail->>'tool' = ${tool}`;
  const isForReason = reason === undefined ? raw('true') : sql`e.detail->>'reason' = ${reason}`;
  const selectPage = (of: readonly string[]): Sql => sql`(
    select * from audit_entry e
    where ${matchesFilter(filter)} and ${isOneOf(of)} and ${isOfTool} and ${isForReason} and ${isOlderThan(page.before)}
    order by e.entry_id desc limit ${page.limit})`;
  const selects = hasOwnIndex(filter)
    ? selectPage(actions)
    : actions.map((action) => selectPage([action])).reduce((all, select) => sql`${all} union all ${select}`);
  return sql`(select * from (${selects}) e order by e.entry_id desc limit ${page.limit})`;
};

/** By literals: the planner then knows which partial indexes hold them. */
const isOneOf = (actions: readonly string[]): Sql => raw(`e.action in ('${actions.join("', '")}')`);

const hasOwnIndex = ({ actorId, projectId, patientId, client, clients, outcome }: EntryFilter): boolean =>
  [actorId, projectId, patientId, client, clients].some((value) => value !== undefined) ||
  outcome === 'refused' ||
  outcome === 'failed';
