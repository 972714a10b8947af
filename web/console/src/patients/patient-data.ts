import type { z } from 'zod';
import type { getPatient } from '../../../../contract/organization/patients.ts';

/** What an organization sees of one patient. */
export type PatientData = z.infer<(typeof getPatient)['response']>;

export const PATIENT_TARGET = 'GET /v1/organizations/{orgId}/patients/{patientId}';
export const PATIENTS_TARGET = 'GET /v1/organizations/{orgId}/patients';
