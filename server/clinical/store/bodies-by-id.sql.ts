import type { PatientId } from '../../../contract/brands.ts';
import { textArray } from '../../platform/db/array-values.ts';
import { forAnyPatient, sql } from '../../platform/db/sql.ts';
import { lookUpById } from './resources.sql.ts';

/** Finds the bodies of resources of a type by id, for the building of entries. */
export const findBodiesByIds = (
  patientId: PatientId,
  type: 'Binary' | 'Claim' | 'Medication',
  ids: readonly string[],
) =>
  forAnyPatient(sql<{
    fhir_id: string;
    body: string;
  }>`
  select r.fhir_id, r.body
  from (select distinct ${type}::text as type, id from unnest(${textArray(ids)}) id) wanted
  cross join lateral (
    ${lookUpById(patientId)}) r`);

/** Finds how long the bodies of Binaries are, by id. */
export const findBinarySizes = (patientId: PatientId, ids: readonly string[]) =>
  forAnyPatient(sql<{
    fhir_id: string;
    bytes: number;
  }>`
  select r.fhir_id, octet_length(r.body) as bytes
  from (select distinct 'Binary'::text as type, id from unnest(${textArray(ids)}) id) wanted
  cross join lateral (
    ${lookUpById(patientId)}) r`);

/** Finds reports by id. */
export const findReports = (patientId: PatientId, ids: readonly string[]) =>
  forAnyPatient(sql<{
    fhir_id: string;
    seq: number;
  }>`
  select r.fhir_id, r.seq
  from (select distinct 'DiagnosticReport'::text as type, id from unnest(${textArray(ids)}) id) wanted
  cross join lateral (
    ${lookUpById(patientId)}) r`);
