import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

/** Finds the bodies of Medications by id. */
export const findMedications = (patientId: PatientId, ids: readonly string[]) => sql<{
  fhir_id: string;
  body: string;
}>`
  select fhir_id, body from resource
  where patient_id = ${patientId} and resource_type = 'Medication' and fhir_id = any (${ids}::text[])`;
