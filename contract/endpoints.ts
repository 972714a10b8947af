import * as account from './account.ts';
import * as auth from './auth.ts';
import * as consent from './consent.ts';
import type { EndpointDefinition } from './endpoint.ts';
import * as enrollment from './enrollment.ts';
import * as interaction from './interaction.ts';
import * as mcp from './mcp.ts';
import * as myConsents from './my-consents.ts';
import * as oauth from './oauth.ts';
import * as operations from './operations.ts';
import * as testPatients from './test-patients.ts';
import * as uploads from './uploads.ts';

/** Everything that is served; what is not in this list does not exist (the access-matrix test holds the app to it). */
export const ENDPOINTS: readonly EndpointDefinition[] = [
  auth.authToken,
  auth.jwks,
  oauth.authorizationServerMetadata,
  oauth.rootResourceMetadata,
  oauth.mcpResourceMetadata,
  oauth.projectResourceMetadata,
  oauth.registerClient,
  oauth.authorize,
  oauth.completeAuthorization,
  oauth.token,
  oauth.revoke,
  interaction.getInteraction,
  interaction.decideInteraction,
  account.getSession,
  account.signIn,
  account.signOut,
  account.signUp,
  account.forgottenPassword,
  account.openLink,
  account.setPassword,
  myConsents.listMyConsents,
  myConsents.withdrawMyConsent,
  testPatients.createTestPatient,
  testPatients.listTestPatients,
  testPatients.getTestPatient,
  testPatients.deleteTestPatient,
  testPatients.renewTestPatientPassword,
  enrollment.enrollPatients,
  consent.decideTestPatientConsent,
  consent.withdrawConsent,
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
