import type { DoctorRunId, OrganizationId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

export interface DoctorRunRow {
  doctor_run_id: DoctorRunId;
  started_at: Date;
  started_by_kind: string;
  started_by: string;
  started_by_name: string | null;
  finished_at: Date | null;
  steps_done: number;
  /** JSON. */
  findings: string;
}

interface RunKey {
  organizationId: OrganizationId;
  runId: DoctorRunId;
}

interface NewRunRow {
  doctor_run_id: DoctorRunId;
  organization_id: OrganizationId;
  started_at: Date;
  started_by_kind: string;
  started_by: string;
}

/** Inserts a run with the name that its member, or its key, has now. */
export const insertRun = (row: NewRunRow) => sql`
  insert into doctor_run (doctor_run_id, organization_id, started_at, started_by_kind, started_by, started_by_name)
  values (${row.doctor_run_id}, ${row.organization_id}, ${row.started_at}, ${row.started_by_kind}, ${row.started_by},
    case ${row.started_by_kind}::text
      when 'member' then (select m.name from member m
        where m.organization_id = ${row.organization_id} and m.member_id::text = ${row.started_by})
      else (select k.name from api_key k where k.api_key = ${row.started_by}) end)`;

/** The runs of an organization, newest first. */
export const findRuns = (organizationId: OrganizationId) => sql<DoctorRunRow>`
  select doctor_run_id, started_at, started_by_kind, started_by, started_by_name, finished_at, steps_done,
    findings::text as findings
  from doctor_run where organization_id = ${organizationId} order by started_at desc, doctor_run_id desc`;

/** Stores how far a run is; returns no row when it is no longer there, or has ended. */
export const updateRunProgress = (
  { organizationId, runId }: RunKey,
  { done, findings }: { done: number; findings: object },
) => sql<{
  doctor_run_id: DoctorRunId;
}>`
  update doctor_run set steps_done = ${done}, findings = ${JSON.stringify(findings)}::jsonb
  where organization_id = ${organizationId} and doctor_run_id = ${runId} and finished_at is null returning doctor_run_id`;

export const updateFinished = ({ organizationId, runId }: RunKey, now: Date) => sql`
  update doctor_run set finished_at = ${now} where organization_id = ${organizationId} and doctor_run_id = ${runId} and finished_at is null`;

/** Deletes the runs of an organization but one. */
export const deleteOtherRuns = (organizationId: OrganizationId, kept: DoctorRunId) => sql`
  delete from doctor_run where organization_id = ${organizationId} and doctor_run_id <> ${kept}`;
