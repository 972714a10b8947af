import * as accessLog from './account/access-log.ts';
import * as apiKeys from './organization/api-keys.ts';
import * as account from './account/account.ts';
import * as auth from './account/auth.ts';
import * as consent from './account/consent.ts';
import * as consentRecords from './organization/consent-records.ts';
import * as documents from './account/documents.ts';
import type { EndpointDefinition } from './endpoint.ts';
import * as enrollments from './account/enrollments.ts';
import * as enrolledPatient from './organization/enrolled-patient.ts';
import * as enrollment from './organization/enrollment.ts';
import * as fhir from './fhir/fhir.ts';
import * as interaction from './oauth/interaction.ts';
import * as mcp from './mcp/mcp.ts';
import * as myConsents from './account/my-consents.ts';
import * as myReceipts from './account/my-receipts.ts';
import * as myRecord from './account/my-record.ts';
import * as notices from './account/notices.ts';
import * as oauth from './oauth/oauth.ts';
import * as operations from './operations.ts';
import * as organization from './organization/organization.ts';
import * as passkeys from './account/passkeys.ts';
import * as sessions from './account/sessions.ts';
import * as patientSources from './account/patient-sources.ts';
import * as projects from './organization/projects.ts';
import * as recordFacts from './account/record-facts.ts';
import * as sourceSyncs from './organization/source-syncs.ts';
import * as sources from './organization/sources.ts';
import * as testPatients from './organization/test-patients.ts';
import * as uploads from './account/uploads.ts';
import * as webhookDeliveries from './webhooks/webhook-deliveries.ts';
import * as webhookEvents from './webhooks/webhook-events.ts';
import * as webhooks from './webhooks/webhooks.ts';

/** Every endpoint of the service; the access-matrix test checks that the app serves these and no others. */
export const ENDPOINTS: readonly EndpointDefinition[] = [
  auth.createAuthToken,
  auth.getJwks,
  oauth.getAuthorizationServerMetadata,
  oauth.getRootResourceMetadata,
  oauth.getMcpResourceMetadata,
  oauth.getProjectResourceMetadata,
  oauth.registerClient,
  oauth.authorize,
  oauth.completeAuthorization,
  oauth.createToken,
  oauth.revokeToken,
  interaction.getInteraction,
  interaction.decideInteraction,
  interaction.saveInteractionDraft,
  interaction.addInteractionScreen,
  account.getSession,
  account.signIn,
  account.signOut,
  account.signUp,
  account.forgottenPassword,
  account.openAccountLink,
  account.setPassword,
  myConsents.listMyConsents,
  myConsents.withdrawMyConsent,
  myConsents.disconnectMyApp,
  myConsents.narrowMyConsent,
  myReceipts.listMyReceipts,
  myReceipts.getMyReceipt,
  myReceipts.getMyReceiptContent,
  myReceipts.getMyReceiptScreenshot,
  notices.getMyNotices,
  notices.updateMyNotices,
  enrollments.getEnrollment,
  enrollments.listEnrollmentRequests,
  enrollments.decideEnrollment,
  enrollments.saveEnrollmentDraft,
  enrollments.addEnrollmentScreen,
  accessLog.getMyAccessLog,
  accessLog.getMyAuditProof,
  myRecord.listMyUploads,
  myRecord.confirmMyUpload,
  myRecord.removeMyUpload,
  myRecord.listMyUnreadDocuments,
  myRecord.stateMyUnreadDocument,
  myRecord.uploadMyDocuments,
  myRecord.listMyDocuments,
  myRecord.getMyDocument,
  myRecord.downloadMyData,
  myRecord.deleteMyAccount,
  sessions.listSessions,
  sessions.endSession,
  sessions.changePassword,
  sessions.listAccountEvents,
  recordFacts.countMyRecord,
  recordFacts.listMyFacts,
  recordFacts.getMyFact,
  recordFacts.searchMyRecord,
  passkeys.listPasskeys,
  passkeys.beginPasskey,
  passkeys.addPasskey,
  passkeys.removePasskey,
  passkeys.beginPasskeySignIn,
  passkeys.signInByPasskey,
  testPatients.createTestPatient,
  testPatients.listTestPatients,
  testPatients.getTestPatient,
  testPatients.deleteTestPatient,
  testPatients.renewTestPatientPassword,
  enrollment.enrollPatients,
  enrolledPatient.sendInvitation,
  enrolledPatient.updateEnrolledPatient,
  enrolledPatient.endEnrollment,
  consent.decideTestPatientConsent,
  consent.withdrawConsent,
  consentRecords.listConsentRecords,
  consentRecords.getConsentRecord,
  consentRecords.listScreenshots,
  consentRecords.getScreenshot,
  consentRecords.getReceipt,
  consentRecords.getConsentSummary,
  consentRecords.listConsentSummaries,
  consentRecords.getConsentedDataScopes,
  accessLog.getAccessLog,
  accessLog.listAuditEvents,
  organization.getOrganization,
  organization.updateOrganization,
  apiKeys.createApiKey,
  apiKeys.listApiKeys,
  apiKeys.rotateApiKey,
  apiKeys.revokeApiKey,
  projects.listProjects,
  projects.createProject,
  projects.getProject,
  projects.updateProject,
  projects.listProjectVersions,
  sources.createSource,
  sources.listSources,
  sources.getSource,
  sources.updateSource,
  sources.deleteSource,
  sources.testSource,
  sourceSyncs.syncSource,
  sourceSyncs.listSourceSyncs,
  sources.getSourceKeys,
  patientSources.listPatientSources,
  patientSources.refreshPatientSources,
  patientSources.listMySources,
  patientSources.refreshMySources,
  webhooks.createWebhook,
  webhooks.listWebhooks,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.pauseWebhook,
  webhooks.resumeWebhook,
  webhooks.testWebhook,
  webhooks.rotateWebhookSecret,
  webhookDeliveries.listDeliveries,
  webhookDeliveries.getDelivery,
  webhookDeliveries.redeliver,
  webhookDeliveries.replayDeliveries,
  webhookEvents.listWebhookEvents,
  webhookEvents.listWebhookEventTypes,
  uploads.uploadDocuments,
  uploads.listUploadBatches,
  uploads.getUploadBatch,
  uploads.readUploadAgain,
  uploads.confirmUploadBatch,
  uploads.removeUploadBatch,
  documents.listDocuments,
  documents.getDocument,
  mcp.callMcp,
  mcp.callProjectMcp,
  operations.getHealth,
  operations.getReadiness,
  operations.getMetrics,
  operations.getOpenApi,
  fhir.getCapabilityStatement,
  fhir.getPersonEverything,
  fhir.invokePersonEverything,
  fhir.getPatientEverything,
  fhir.invokePatientEverything,
  fhir.readPerson,
  fhir.readResourceOfPerson,
  fhir.readResource,
];
