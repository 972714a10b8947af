import { sql, type Sql } from '../../platform/db/sql.ts';

/** Of `resource_type` and `fhir_id`: what stands before a body, with the reference between two texts. */
export const buildReferencePrefix = (before: string, after: string): Sql =>
  sql`${before}::text || resource_type || '/' || fhir_id || ${after}::text`;

/** The same character before each. */
export const buildConstantPrefix = (character: string): Sql => sql`${character}::text`;
