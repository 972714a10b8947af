import type { z } from 'zod';
import type { getTestPatient } from '../../../../contract/organization/test-patients.ts';

export const LIST_TARGET = 'GET /v1/organizations/{orgId}/test-patients';
export const DETAIL_TARGET = 'GET /v1/organizations/{orgId}/test-patients/{patientId}';

export type TestPatientData = z.infer<(typeof getTestPatient)['response']>;
