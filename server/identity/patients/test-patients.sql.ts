import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import type { PageQuery } from '../../../contract/organization/test-patients.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
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

/** Every table that holds something of a patient; a test reads the catalog and complains when one is missing. */
export const PATIENT_TABLES = [
  'patient',
  'patient_password',
  'patient_email',
  'patient_phone',
  'account_passkey',
  'passkey_route',
  'passkey_challenge',
  'account_session',
  'enrollment',
  'consent_record',
  'consent',
  'consent_record_patient',
  'consent_screenshot',
  'oauth_request',
  'oauth_grant',
  'record_head',
  'resource',
  'resource_label',
  'resource_version',
  'resource_identifier',
  'open_reference',
  'clinical_entry',
  'record_holding',
  'passage',
  'passage_use',
  'source_sync',
  'upload_batch',
  'upload_rejection',
  'blob_chunk',
  'document',
] as const;

export const deletePatientFrom = (table: (typeof PATIENT_TABLES)[number], patientId: PatientId): Sql => ({
  text: `delete from ${table} where patient_id = $1`,
  values: [patientId],
});
