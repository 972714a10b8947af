import { z } from 'zod';
import { BatchId, PatientId } from '../brands.ts';
import { defineEndpoint } from '../endpoint.ts';

export const findSharedUpload = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/{orgId}/uploads/{batchId}',
  name: 'findSharedUpload',
  summary: 'Whose upload it is, of those that `GET …/patients/{patientId}` counts; nothing of what it holds',
  tag: 'Patients',
  audience: ['organization'],
  permission: 'patients.read',
  response: z.object({ batchId: BatchId, patientId: PatientId }),
  refusals: {
    404: 'There is no such upload, or nothing of it is shared with a project that the caller may see',
  },
});
