import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { READ_ACTIONS } from '../../../contract/organization/audit-events.ts';
import { raw, sql, type Sql } from '../db/sql.ts';
import { toIdBound } from '../kernel/ids.ts';
import { PRIVATE_ACTIONS } from './actions.ts';

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
  actor_kind: 'patient' | 'admin' | 'researcher' | 'developer' | 'member' | 'system';
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
 * A condition on an entry `e`: what a patient did with, or read of, a part of the record that the organization does not share in
 * is in the patient's own log alone. The columns come first, for `detail` is parsed for each look at it.
 */
const isForOrganization = raw(`(
  e.actor_kind <> 'patient' or e.action not in ('${PRIVATE_ACTIONS.join("', '")}') or e.detail->>'patientsOnly' is null)`);

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
  actorKind?: readonly AuditEntryRow['actor_kind'][] | undefined;
  actorId?: string | undefined;
  action?: readonly string[] | undefined;
  projectId?: ProjectId | undefined;
  patientId?: PatientId | undefined;
  client?: string | undefined;
  /** One of these. */
  clients?: readonly string[] | undefined;
  outcome?: readonly AuditEntryRow['outcome'][] | undefined;
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
    filter.actorKind !== undefined &&
      isOneOf(
        'actor_kind',
        filter.actorKind.map((kind) => ACTOR_KINDS[kind]),
      ),
    filter.actorId !== undefined && sql`e.actor_id = ${filter.actorId}`,
    filter.action !== undefined && equalsOne(raw('e.action'), filter.action),
    filter.projectId !== undefined && sql`e.project_id = ${filter.projectId}`,
    filter.patientId !== undefined && sql`e.patient_id = ${filter.patientId}`,
    filter.client !== undefined && sql`e.client = ${filter.client}`,
    filter.clients !== undefined && sql`e.client = any(${filter.clients}::text[])`,
    filter.outcome !== undefined &&
      isOneOf(
        'outcome',
        filter.outcome.map((outcome) => OUTCOMES[outcome]),
      ),
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
  developer: 'developer',
  member: 'member',
  system: 'system',
} as const;

const OUTCOMES = { success: 'success', refused: 'refused', failed: 'failed' } as const;

/** Compared with one value where it is one: the planner then finds the page in the order of an index. */
const equalsOne = (column: Sql, values: readonly string[]): Sql =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values}::text[])`;

/** By literals: the planner then knows which partial indexes hold them. */
const isOneOf = (column: 'action' | 'actor_kind' | 'outcome', values: readonly string[]): Sql =>
  raw(`e.${column} in ('${values.join("', '")}')`);

/**
 * Splits a filter of several values into one for each of them: each has its own range of an index in the order of the entries,
 * which several together have not. What is asked for beside them may have such a range itself.
 */
function splitFilter(filter: EntryFilter): EntryFilter[] {
  if (hasOwnIndex({ ...filter, outcome: undefined })) return [filter];
  const byAction = filter.action?.map((action) => ({ ...filter, action: [action] })) ?? [filter];
  return byAction.flatMap(
    (each) => each.outcome?.map((outcome) => ({ ...each, outcome: [outcome] })) ?? [each],
  );
}

/** Joins pages of one order to a page of all of them. */
const joinPages = (selects: readonly Sql[], limit: number): Sql => sql`(
    select * from (${selects.reduce((all, select) => sql`${all} union all ${select}`)}) e
    order by e.entry_id desc limit ${limit})`;

/** A subquery: a page of an organization's entries, newest first. */
export const organizationEntries = (filter: EntryFilter, { limit, before }: LogPage): Sql => {
  const selects = splitFilter(filter).map(
    (each) => sql`(
    select * from audit_entry e where ${matchesFilter(each)} and ${isOlderThan(before)}
    order by e.entry_id desc limit ${limit})`,
  );
  return selects.length === 1 ? (selects[0] as Sql) : joinPages(selects, limit);
};

/** The reads of a record, by the tool of those that are tool calls. */
export interface ReadFilter extends EntryFilter {
  tool?: readonly string[] | undefined;
  /** Why they were refused: for one of these. */
  reason?: readonly string[] | undefined;
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
  const filter: EntryFilter = reason === undefined ? rest : { ...rest, outcome: ['refused'] };
  const actions =
    tool !== undefined
      ? (['mcp.tools_call'] as const)
      : READ_ACTIONS.filter((action) => asked?.includes(action) ?? true);
  const isForReason = reason === undefined ? raw('true') : equalsOne(raw("e.detail->>'reason'"), reason);
  const selects = splitFilter(filter).flatMap((each) =>
    splitReads(actions, tool, hasOwnIndex(each)).map(
      (isRead) => sql`(
    select * from audit_entry e
    where ${matchesFilter(each)} and ${isRead} and ${isForReason} and ${isOlderThan(page.before)}
    order by e.entry_id desc limit ${page.limit})`,
    ),
  );
  return joinPages(selects, page.limit);
};

/** Conditions of which each has its own range of an index, or one for all where what else is asked for has one. */
function splitReads(
  actions: readonly string[],
  tools: readonly string[] | undefined,
  isOne: boolean,
): readonly Sql[] {
  const tool = raw("e.detail->>'tool'");
  if (tools !== undefined)
    return (isOne ? [tools] : tools.map((each) => [each])).map(
      (some) => sql`${isOneOf('action', actions)} and ${equalsOne(tool, some)}`,
    );
  return (isOne ? [actions] : actions.map((each) => [each])).map((some) => isOneOf('action', some));
}

const hasOwnIndex = ({ actorId, projectId, patientId, client, clients, outcome }: EntryFilter): boolean =>
  [actorId, projectId, patientId, client, clients].some((value) => value !== undefined) ||
  (outcome?.length === 1 && !outcome.includes('success'));
