import * as auth from './auth.ts';
import * as consent from './consent.ts';
import type { EndpointDefinition } from './endpoint.ts';
import * as enrollment from './enrollment.ts';
import * as mcp from './mcp.ts';
import * as operations from './operations.ts';
import * as testPatients from './test-patients.ts';
import * as uploads from './uploads.ts';

/** Everything that is served; what is not in this list does not exist (the access-matrix test holds the app to it). */
export const ENDPOINTS: readonly EndpointDefinition[] = [
  auth.authToken,
  auth.jwks,
  testPatients.createTestPatient,
  testPatients.listTestPatients,
  testPatients.getTestPatient,
  testPatients.deleteTestPatient,
  testPatients.renewTestPatientPassword,
  enrollment.enrollPatients,
  consent.decideTestPatientConsent,
  uploads.uploadDocuments,
  uploads.listUploadBatches,
  uploads.getUploadBatch,
  mcp.mcp,
  mcp.projectMcp,
  operations.healthz,
  operations.readyz,
  operations.metrics,
  operations.openapi,
];
