import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/page-query.ts';
import { sql } from '../../platform/db/sql.ts';
import type { PatientRow } from './patients.sql.ts';

export interface TestPatientRow extends PatientRow {
  project_ids: string[];
}

const columns = sql`
  p.patient_id, p.email, p.first_name, p.last_name, p.date_of_birth, p.created_at,
  array(select e.project_id::text from enrollment e where e.patient_id = p.patient_id order by e.created_at) as project_ids`;

export const findTestPatients = (
  organizationId: OrganizationId,
  { limit, offset }: PageQuery,
) => sql<TestPatientRow>`
  select ${columns} from patient p where p.test_organization_id = ${organizationId}
  order by p.created_at desc, p.patient_id desc limit ${limit} offset ${offset}`;

export const countTestPatients = (organizationId: OrganizationId) => sql<{ total: number }>`
  select count(*) as total from patient where test_organization_id = ${organizationId}`;

export const findTestPatient = (organizationId: OrganizationId, patientId: PatientId) => sql<TestPatientRow>`
  select ${columns} from patient p where p.patient_id = ${patientId} and p.test_organization_id = ${organizationId}`;

export const lockTestPatient = (organizationId: OrganizationId, patientId: PatientId) => sql<{
  patient_id: PatientId;
}>`
  select patient_id from patient where patient_id = ${patientId} and test_organization_id = ${organizationId} for update`;
