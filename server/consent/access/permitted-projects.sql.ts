import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';
import { permitsReading } from './permits-reading.sql.ts';

/** The projects that may read the patient's record now, each once. */
export const selectPermittedProjects = (patientId: PatientId, now: Date) => sql<{
  organization_id: OrganizationId;
  project_id: ProjectId;
}>`
  select distinct e.organization_id, e.project_id
  from consent c
  join enrollment e on e.patient_id = ${patientId} and e.project_id = c.project_id
  where c.patient_id = ${patientId} and ${permitsReading(now)}
  order by e.organization_id, e.project_id`;
