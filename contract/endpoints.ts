import * as accessLog from './account/access-log.ts';
import * as apiKeys from './organization/api-keys.ts';
import * as clients from './organization/clients.ts';
import * as account from './account/account.ts';
import * as attention from './organization/attention.ts';
import * as doctor from './organization/doctor/doctor.ts';
import * as firstSteps from './organization/first-steps.ts';
import * as auditEvents from './organization/audit-events.ts';
import * as auth from './account/auth.ts';
import { CONSOLE_ENDPOINTS } from './console/endpoints.ts';
import * as consent from './account/consent.ts';
import * as consentRecords from './organization/consent-records.ts';
import * as documents from './account/documents.ts';
import type { EndpointDefinition } from './endpoint.ts';
import * as emailChange from './account/email-change.ts';
import * as enrollments from './account/enrollments.ts';
import * as enrolledPatient from './organization/enrolled-patient.ts';
import * as endEnrollments from './organization/end-enrollments.ts';
import * as enrollment from './organization/enrollment.ts';
import * as fhir from './fhir/fhir.ts';
import * as interaction from './oauth/interaction.ts';
import * as members from './organization/members.ts';
import * as mcp from './mcp/mcp.ts';
import * as myConsents from './account/my-consents.ts';
import * as myReceipts from './account/my-receipts.ts';
import * as myRecord from './account/my-record.ts';
import * as notices from './account/notices.ts';
import * as oauth from './oauth/oauth.ts';
import * as operations from './operations.ts';
import * as patients from './organization/patients.ts';
import * as organization from './organization/organization.ts';
import * as organizationConsents from './organization/organization-consents.ts';
import * as passkeys from './account/passkeys.ts';
import * as sessions from './account/sessions.ts';
import * as patientSources from './account/patient-sources.ts';
import * as projects from './organization/projects.ts';
import * as projectFigures from './organization/project-figures.ts';
import * as recordFacts from './account/record-facts.ts';
import * as sourceSyncs from './organization/source-syncs.ts';
import * as sources from './organization/sources.ts';
import * as sharedUploads from './organization/shared-uploads.ts';
import * as testPatients from './organization/test-patients.ts';
import * as uploads from './account/uploads.ts';
import { listDailyFigures } from './organization/daily-figures.ts';
import * as usage from './organization/usage.ts';
import * as webhookDeliveries from './webhooks/webhook-deliveries.ts';
import * as webhookEvents from './webhooks/webhook-events.ts';
import * as webhookStats from './webhooks/webhook-stats.ts';
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
  account.updateMyLanguage,
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
  myRecord.readMyUploadAgain,
  myRecord.listMyUnreadDocuments,
  myRecord.stateMyUnreadDocument,
  myRecord.uploadMyDocuments,
  myRecord.listMyDocuments,
  myRecord.getMyDocument,
  myRecord.downloadMyData,
  myRecord.deleteMyAccount,
  sessions.listSessions,
  sessions.endSession,
  sessions.endOtherSessions,
  sessions.changePassword,
  sessions.listAccountEvents,
  recordFacts.countMyRecord,
  recordFacts.listMyFacts,
  recordFacts.getMyFact,
  recordFacts.searchMyRecord,
  emailChange.requestEmailChange,
  emailChange.openEmailChange,
  emailChange.confirmEmailChange,
  emailChange.cancelEmailChange,
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
  testPatients.enrollTestPatient,
  testPatients.createTestPatientToken,
  testPatients.createTestPatientGrant,
  testPatients.generateTestPatientRecord,
  enrollment.enrollPatients,
  patients.listPatients,
  patients.getPatientFunnel,
  patients.sendInvitations,
  endEnrollments.endEnrollments,
  patients.getPatient,
  sharedUploads.findSharedUpload,
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
  organizationConsents.listOrganizationConsents,
  organizationConsents.listConsentPageVersions,
  organizationConsents.getConsentStats,
  organizationConsents.openConsentRecord,
  organizationConsents.exportEvidence,
  accessLog.getAccessLog,
  auditEvents.listAuditEvents,
  auditEvents.exportAuditEvents,
  auditEvents.listAuditCheckpoints,
  auditEvents.listAccessLog,
  usage.getUsage,
  listDailyFigures,
  attention.listAttention,
  firstSteps.listFirstSteps,
  doctor.startDoctorRun,
  doctor.getDoctorRuns,
  organization.getOrganization,
  organization.updateOrganization,
  organization.setOrganizationMark,
  organization.deleteOrganizationMark,
  organization.getMark,
  ...CONSOLE_ENDPOINTS,
  members.listMembers,
  members.updateMember,
  members.removeMember,
  members.resetMember,
  members.createInvitation,
  members.listInvitations,
  members.revokeInvitation,
  apiKeys.createApiKey,
  apiKeys.listApiKeys,
  apiKeys.rotateApiKey,
  apiKeys.endFormerKeySecrets,
  apiKeys.revokeApiKey,
  clients.listClients,
  clients.getClient,
  clients.judgeClient,
  projects.listProjects,
  projectFigures.getProjectFigures,
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
  webhookStats.getWebhookStats,
  webhookStats.checkWebhookUrl,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.pauseWebhook,
  webhooks.resumeWebhook,
  webhooks.testWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.endFormerSecrets,
  webhookDeliveries.listDeliveries,
  webhookDeliveries.getDelivery,
  webhookDeliveries.redeliver,
  webhookDeliveries.replayDeliveries,
  webhookDeliveries.listReplays,
  webhookDeliveries.stopReplay,
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
  operations.getServiceIndex,
  fhir.getCapabilityStatement,
  fhir.getPersonEverything,
  fhir.invokePersonEverything,
  fhir.getPatientEverything,
  fhir.invokePatientEverything,
  fhir.readPerson,
  fhir.readResourceOfPerson,
  fhir.readResource,
];
