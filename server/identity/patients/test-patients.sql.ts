import type { CredentialId, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import { raw, sql } from '../../platform/db/sql.ts';
import type { PatientRow } from './patients.sql.ts';

export interface TestPatientRow extends PatientRow {
  project_ids: string[];
}

const columns = sql`
  p.patient_id, p.email, p.first_name, p.last_name, p.date_of_birth, p.created_at,
  array(select e.project_id::text from enrollment e where e.patient_id = p.patient_id order by e.created_at) as project_ids`;

/** Selects a page, newest first: behind one of them, or behind a number of them. */
export const findTestPatients = (
  organizationId: OrganizationId,
  { limit, offset, after }: PageQuery & { after: Pick<TestPatientRow, 'patient_id' | 'created_at'> | null },
) => sql<TestPatientRow>`
  select ${columns} from patient p where p.test_organization_id = ${organizationId}
    and ${after === null ? raw('true') : sql`(p.created_at, p.patient_id) < (${after.created_at}::timestamptz, ${after.patient_id}::uuid)`}
  order by p.created_at desc, p.patient_id desc limit ${limit} offset ${offset}`;

export const countTestPatients = (organizationId: OrganizationId) => sql<{ total: number }>`
  select count(*) as total from patient where test_organization_id = ${organizationId}`;

export const findTestPatient = (organizationId: OrganizationId, patientId: PatientId) => sql<TestPatientRow>`
  select ${columns} from patient p where p.patient_id = ${patientId} and p.test_organization_id = ${organizationId}`;

export const lockTestPatient = (organizationId: OrganizationId, patientId: PatientId) => sql<{
  patient_id: PatientId;
  email: string;
  first_name: string;
  last_name: string;
}>`
  select patient_id, email, first_name, last_name from patient where patient_id = ${patientId} and test_organization_id = ${organizationId} for update`;

/** Selects what a token of a test patient says: of one who takes part in a project of the organization. */
export const findTestPatientLogin = (
  organizationId: OrganizationId,
  patientId: PatientId,
  projectId: ProjectId,
) => sql<{
  first_name: string;
  last_name: string;
  credential_id: CredentialId;
}>`
  select p.first_name, p.last_name, w.credential_id
  from patient p
  join patient_password w on w.patient_id = ${patientId}
  join enrollment e on e.patient_id = ${patientId} and e.project_id = ${projectId}
  where p.patient_id = ${patientId} and p.test_organization_id = ${organizationId}
    and e.organization_id = ${organizationId}`;
