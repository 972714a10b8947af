import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

/** Finds the bodies of resources of a type by id, for the building of entries. */
export const findBodiesByIds = (
  patientId: PatientId,
  type: 'Claim' | 'Medication',
  ids: readonly string[],
) => sql<{
  fhir_id: string;
  body: string;
}>`
  select fhir_id, body from resource
  where patient_id = ${patientId} and resource_type = ${type} and fhir_id = any (${ids}::text[])`;
