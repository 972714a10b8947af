import type { PatientId } from '../../../contract/brands.ts';
import { sql } from '../../platform/db/sql.ts';

/** Finds the bodies of Claims by id. */
export const findClaims = (patientId: PatientId, ids: readonly string[]) => sql<{
  fhir_id: string;
  body: string;
}>`
  select fhir_id, body from resource
  where patient_id = ${patientId} and resource_type = 'Claim' and fhir_id = any (${ids}::text[])`;
