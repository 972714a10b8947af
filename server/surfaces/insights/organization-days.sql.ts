import type { OrganizationReach } from '../../../contract/audience.ts';
import type { OrganizationId, ProjectId } from '../../../contract/brands.ts';
import { wholeSharers } from '../../consent/access/consenting-patients.sql.ts';
import { evidenceBytes } from '../../consent/records/evidence-bytes.sql.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { entryBytes, readPatients, type Span } from '../../platform/audit/day-sums.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { NO_PROJECT } from '../../platform/usage/usage.sql.ts';

export type DayMeasure = 'active_patients' | 'record' | 'original' | 'evidence' | 'log';

/** Finds the newest day that was counted; it may not have been over. */
export const findLastDay = (organizationId: OrganizationId) => sql<{ day: string | null }>`
  select to_char(max(day), 'YYYY-MM-DD') as day from organization_day where organization_id = ${organizationId}`;

export interface Day extends Span {
  organizationId: OrganizationId;
  /** YYYY-MM-DD. */
  day: string;
}

/** Writes what was counted of a day, in place of what was counted of it before. A subquery has `project_id` and `value`. */
const upsert = ({ organizationId, day }: Day, measure: DayMeasure, counted: Sql): Sql => sql`
  insert into organization_day (organization_id, day, project_id, measure, value)
  select ${organizationId}, ${day}::date, coalesce(c.project_id, ${raw(`'${NO_PROJECT}'`)}::uuid), ${raw(`'${measure}'`)}, c.value
  from ${counted} c
  on conflict (organization_id, day, measure, project_id) do update set value = excluded.value`;

export const upsertActivePatients = (day: Day) =>
  upsert(day, 'active_patients', readPatients(day.organizationId, day));

export const upsertLogBytes = (day: Day) => upsert(day, 'log', entryBytes(day.organizationId, day));

export const upsertEvidenceBytes = (day: Day) => upsert(day, 'evidence', evidenceBytes(day.organizationId));

/** With a row of no project, which says that it was measured. */
export const upsertRecordBytes = (day: Day, now: Date) =>
  upsert(
    day,
    'record',
    sql`(
      select f.project_id, coalesce(sum(h.body_bytes), 0)::bigint as value
      from ${wholeSharers(day.organizationId, now)} f join record_head h on h.patient_id = f.patient_id group by 1
      union all select null::uuid, 0::bigint)`,
  );

export const upsertOriginalBytes = (day: Day, now: Date) =>
  upsert(
    day,
    'original',
    sql`(
      select f.project_id, sum(d.size)::bigint as value
      from ${wholeSharers(day.organizationId, now)} f join document d on d.patient_id = f.patient_id group by 1)`,
  );

/** Deletes what a project had on a day before it was counted anew: what has gone has no row. */
export const deleteDay = ({ organizationId, day }: Day) => sql`
  delete from organization_day where organization_id = ${organizationId} and day = ${day}::date`;

export interface FiguresScope {
  reach: OrganizationReach;
  projectId: ProjectId | undefined;
  /** Days, inclusive. */
  from: string;
  to: string;
}

/** A condition on a row `d`: what the caller may see of it, and asked for. */
const isInScope = ({ reach, projectId }: Omit<FiguresScope, 'from' | 'to'>): Sql =>
  sql`d.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('d.project_id'))}
    and ${projectId === undefined ? raw('true') : sql`d.project_id = ${projectId}`}`;

/** A condition on a row `d`: of patients, a sum would count one of several projects several times; there is a row of all. */
const isCounted = ({ reach, projectId }: Omit<FiguresScope, 'from' | 'to'>): Sql =>
  reach.projectIds === null && projectId === undefined
    ? raw(`(d.measure <> 'active_patients' or d.project_id = '${NO_PROJECT}')`)
    : raw('true');

export interface DayRow {
  day: string;
  measure: DayMeasure;
  value: number;
}

export const listDays = (scope: FiguresScope) => sql<DayRow>`
  select to_char(d.day, 'YYYY-MM-DD') as day, d.measure, sum(d.value)::bigint as value from organization_day d
  where ${isInScope(scope)} and ${isCounted(scope)} and d.day >= ${scope.from}::date and d.day <= ${scope.to}::date
  group by 1, 2`;

/** Sums the log's bytes before a day. */
export const sumLogBefore = (scope: FiguresScope) => sql<{ value: number }>`
  select coalesce(sum(d.value), 0)::bigint as value from organization_day d
  where ${isInScope(scope)} and d.measure = 'log' and d.day < ${scope.from}::date`;

/** Counts the patients who were read in a time, for what the caller may see: of a day that has not been counted to its end. */
export const countActivePatients = ({ reach, projectId }: FiguresScope, span: Span) => sql<{ value: number }>`
  select coalesce(sum(d.value), 0)::bigint as value
  from (
    select ${reach.organizationId}::uuid as organization_id, 'active_patients' as measure,
      coalesce(project_id, ${raw(`'${NO_PROJECT}'`)}::uuid) as project_id, value
    from ${readPatients(reach.organizationId, span)} r) d
  where ${isInScope({ reach, projectId })} and ${isCounted({ reach, projectId })}`;
