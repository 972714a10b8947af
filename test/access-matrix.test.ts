import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import type { Audience } from '../contract/audience.ts';
import type { PatientId } from '../contract/brands.ts';
import { takesMember, takesSession, type EndpointDefinition } from '../contract/endpoint.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { hasPermission, PERMISSIONS, type Role } from '../contract/roles.ts';
import { beginSession, endSession } from '../server/identity/accounts/session.ts';
import { endMemberSession } from '../server/identity/members/member-session.ts';
import { sql } from '../server/platform/db/sql.ts';
import { createSigningKeys } from '../server/platform/keys/signing-keys.ts';
import { createPkce, registerClient, createSignedInBrowser, obtainTokens } from './harness/authorization.ts';
import { createOpenApiChecker, type OpenApiChecker, type OpenApiDocument } from './harness/openapi.ts';
import { recordConsentWithScreenshots } from './harness/consent-record.ts';
import {
  call,
  decide,
  newOrganization,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type TestPatient,
  type TestService,
} from './harness/service.ts';
import { beginTestSession, newMember, type TestMember } from './harness/member.ts';
import { createTestBrowser, type TestBrowser } from './harness/test-browser.ts';

/**
 * A request that is refused for nothing but its caller, and the status a permitted caller gets: never 401 or 403, so that
 * a refusal of the caller shows. An endpoint without a row fails the first test.
 */
const REQUESTS: Readonly<Record<string, { status: number; json?: unknown; form?: true }>> = {
  createAuthToken: { status: 400, json: {} },
  getJwks: { status: 200 },
  getAuthorizationServerMetadata: { status: 200 },
  getRootResourceMetadata: { status: 200 },
  getMcpResourceMetadata: { status: 200 },
  getProjectResourceMetadata: { status: 200 },
  registerClient: { status: 201, json: { redirect_uris: ['https://agent.example/callback'] } },
  authorize: { status: 400 },
  getCapabilityStatement: { status: 200 },
  getPersonEverything: { status: 200 },
  invokePersonEverything: { status: 200 },
  getPatientEverything: { status: 200 },
  invokePatientEverything: { status: 200 },
  readPerson: { status: 200 },
  readResourceOfPerson: { status: 404 },
  readResource: { status: 404 },
  completeAuthorization: { status: 400 },
  createToken: { status: 400 },
  revokeToken: { status: 400 },
  getInteraction: { status: 404 },
  decideInteraction: { status: 400, json: {} },
  saveInteractionDraft: { status: 400, json: {} },
  addInteractionScreen: { status: 400, json: {} },
  getSession: { status: 200 },
  signIn: { status: 400, json: {} },
  signOut: { status: 204 },
  signUp: { status: 400, json: {} },
  forgottenPassword: { status: 400, json: {} },
  openAccountLink: { status: 400, json: {} },
  setPassword: { status: 400, json: {} },
  listMyConsents: { status: 200 },
  withdrawMyConsent: { status: 400, json: {} },
  disconnectMyApp: { status: 400, json: {} },
  narrowMyConsent: { status: 400, json: {} },
  getEnrollment: { status: 200 },
  listEnrollmentRequests: { status: 200 },
  decideEnrollment: { status: 400, json: {} },
  saveEnrollmentDraft: { status: 400, json: {} },
  addEnrollmentScreen: { status: 400, json: {} },
  listMyReceipts: { status: 200 },
  getMyReceipt: { status: 200 },
  getMyReceiptContent: { status: 200 },
  getMyReceiptScreenshot: { status: 200 },
  listMyUploads: { status: 200 },
  confirmMyUpload: { status: 404, json: { batchId: '00000000-0000-4000-8000-000000000000' } },
  removeMyUpload: { status: 404, json: { batchId: '00000000-0000-4000-8000-000000000000' } },
  readMyUploadAgain: { status: 404, json: { batchId: '00000000-0000-4000-8000-000000000000' } },
  listMyUnreadDocuments: { status: 200 },
  stateMyUnreadDocument: { status: 404, json: { digest: '0'.repeat(32), nothingPrivate: true } },
  uploadMyDocuments: { status: 422, form: true },
  listMyDocuments: { status: 200 },
  getMyDocument: { status: 404 },
  downloadMyData: { status: 200 },
  deleteMyAccount: { status: 400, json: {} },
  listSessions: { status: 200 },
  endOtherSessions: { status: 204 },
  endSession: { status: 404, json: { id: '00000000-0000-4000-8000-000000000000' } },
  changePassword: { status: 400, json: {} },
  requestEmailChange: { status: 400, json: {} },
  openEmailChange: { status: 400, json: {} },
  confirmEmailChange: { status: 400, json: {} },
  cancelEmailChange: { status: 400, json: {} },
  listAccountEvents: { status: 200 },
  countMyRecord: { status: 200 },
  listMyFacts: { status: 400 },
  getMyFact: { status: 400 },
  searchMyRecord: { status: 400, json: {} },
  listPasskeys: { status: 200 },
  beginPasskey: { status: 409 },
  addPasskey: { status: 400, json: {} },
  removePasskey: { status: 404, json: { id: '00000000-0000-4000-8000-000000000000' } },
  beginPasskeySignIn: { status: 409 },
  signInByPasskey: { status: 400, json: {} },
  updateMyLanguage: { status: 204, json: { language: 'es' } },
  getMyNotices: { status: 200 },
  updateMyNotices: {
    status: 204,
    json: {
      firstRead: true,
      unusualVolume: true,
      unusedConsent: true,
      heldUpload: true,
      weeklyDigest: false,
    },
  },
  getMyAccessLog: { status: 200 },
  getMyAuditProof: { status: 200 },
  getAccessLog: { status: 200 },
  listAuditEvents: { status: 200 },
  exportAuditEvents: { status: 200 },
  listAuditCheckpoints: { status: 200 },
  listAccessLog: { status: 200 },
  getUsage: { status: 200 },
  listDailyFigures: { status: 200 },
  listAttention: { status: 200 },
  listFirstSteps: { status: 200 },
  getDoctorRuns: { status: 200 },
  // One runs already.
  startDoctorRun: { status: 409 },
  getConsoleSession: { status: 200 },
  signInToConsole: { status: 400, json: {} },
  signOutOfConsole: { status: 204 },
  confirmPresence: { status: 400, json: {} },
  forgottenConsolePassword: { status: 400, json: {} },
  chooseConsolePassword: { status: 400, json: {} },
  changeConsolePassword: { status: 400, json: {} },
  changeOwnName: { status: 204, json: { name: 'Ana Ruiz' } },
  beginTotp: { status: 200 },
  activateTotp: { status: 400, json: {} },
  renewRecoveryCodes: { status: 200 },
  // An IP address has no passkeys.
  beginConsolePasskeySignIn: { status: 409 },
  signInToConsoleByPasskey: { status: 400, json: {} },
  beginPasskeyConfirmation: { status: 409 },
  beginOidcSignIn: { status: 404 },
  completeOidc: { status: 400, json: {} },
  beginOidcConfirmation: { status: 404 },
  beginOidcJoin: { status: 404 },
  listConsolePasskeys: { status: 200 },
  beginConsolePasskey: { status: 409 },
  addConsolePasskey: { status: 400, json: {} },
  removeConsolePasskey: { status: 404, json: { id: '00000000-0000-4000-8000-000000000000' } },
  listConsoleSessions: { status: 200 },
  endOtherConsoleSessions: { status: 204 },
  endConsoleSession: { status: 404, json: { id: '00000000-0000-4000-8000-000000000000' } },
  openInvitation: { status: 400, json: {} },
  acceptInvitation: { status: 400, json: {} },
  listMembers: { status: 200 },
  updateMember: { status: 404, json: { name: 'Ana Ruiz' } },
  removeMember: { status: 404 },
  resetMember: { status: 404 },
  createInvitation: {
    status: 400,
    json: {
      email: 'ana@clinic.example',
      role: 'researcher',
      projectIds: ['00000000-0000-4000-8000-000000000000'],
    },
  },
  listInvitations: { status: 200 },
  revokeInvitation: { status: 404 },
  listOrganizationConsents: { status: 200 },
  listConsentPageVersions: { status: 200 },
  getConsentStats: { status: 200 },
  openConsentRecord: { status: 200 },
  exportEvidence: { status: 200 },
  createApiKey: { status: 201, json: { name: 'Nightly export', role: 'developer' } },
  listApiKeys: { status: 200 },
  rotateApiKey: { status: 404 },
  endFormerKeySecrets: { status: 404 },
  revokeApiKey: { status: 404 },
  listClients: { status: 200 },
  getClient: { status: 404 },
  judgeClient: { status: 404, json: { judgement: 'blocked', note: 'Not ours' } },
  listProjects: { status: 200 },
  getProjectFigures: { status: 200 },
  createProject: { status: 201, json: { name: 'Third study' } },
  getProject: { status: 200 },
  updateProject: { status: 200, json: { name: 'First study' } },
  getOrganization: { status: 200 },
  updateOrganization: { status: 200, json: { displayName: 'Riverside Clinic' } },
  setOrganizationMark: { status: 400, json: { image: 'bm8gcGljdHVyZQ==' } },
  deleteOrganizationMark: { status: 200 },
  getMark: { status: 404 },
  listProjectVersions: { status: 200 },
  createSource: {
    status: 409,
    json: { name: 'Uploads', baseUrl: 'https://ehr.example/fhir', matching: { by: 'id' } },
  },
  listSources: { status: 200 },
  getSource: { status: 404 },
  updateSource: { status: 404, json: { name: 'Hospital' } },
  deleteSource: { status: 404 },
  testSource: { status: 404 },
  syncSource: { status: 404 },
  listSourceSyncs: { status: 404 },
  getSourceKeys: { status: 404 },
  listPatientSources: { status: 200 },
  refreshPatientSources: { status: 202 },
  listMySources: { status: 200 },
  refreshMySources: { status: 202 },
  createWebhook: {
    status: 400,
    json: {
      url: 'https://hooks.example/events',
      eventTypes: ['consent.withdrawn'],
      projectScope: { type: 'projects', projectIds: ['00000000-0000-4000-8000-000000000000'] },
    },
  },
  listWebhooks: { status: 200 },
  getWebhook: { status: 404 },
  getWebhookStats: { status: 404 },
  checkWebhookUrl: { status: 200, json: { url: 'https://[::1]/' } },
  updateWebhook: { status: 404, json: { description: 'Events' } },
  deleteWebhook: { status: 404 },
  pauseWebhook: { status: 404 },
  resumeWebhook: { status: 404 },
  testWebhook: { status: 404 },
  rotateWebhookSecret: { status: 404 },
  endFormerSecrets: { status: 404 },
  listDeliveries: { status: 404 },
  getDelivery: { status: 404 },
  redeliver: { status: 404 },
  replayDeliveries: { status: 404, json: { since: '2026-01-01T00:00:00Z' } },
  listReplays: { status: 404 },
  stopReplay: { status: 404 },
  listWebhookEventTypes: { status: 200 },
  listWebhookEvents: { status: 200 },
  createTestPatient: { status: 201 },
  listTestPatients: { status: 200 },
  getTestPatient: { status: 200 },
  deleteTestPatient: { status: 204 },
  renewTestPatientPassword: { status: 200 },
  enrollTestPatient: { status: 204 },
  createTestPatientToken: { status: 200 },
  createTestPatientGrant: { status: 201, json: {} },
  generateTestPatientRecord: { status: 400, json: { years: 0 } },
  enrollPatients: {
    status: 200,
    json: {
      patients: [{ email: 'a@example.org', firstName: 'A', lastName: 'B' }],
      suppressNotifications: true,
    },
  },
  listPatients: { status: 200 },
  getPatientFunnel: { status: 200 },
  sendInvitations: { status: 202, json: { dryRun: true } },
  endEnrollments: { status: 200, json: { dryRun: true } },
  getPatient: { status: 200 },
  findSharedUpload: { status: 404 },
  sendInvitation: { status: 409 },
  updateEnrolledPatient: { status: 200, json: { externalId: 'MRN 8' } },
  endEnrollment: { status: 204 },
  withdrawConsent: { status: 201, json: { consentStatus: 'OPTED_OUT' } },
  decideTestPatientConsent: { status: 201, json: { consentStatus: 'OPTED_IN' } },
  listConsentRecords: { status: 200 },
  getConsentRecord: { status: 200 },
  listScreenshots: { status: 200 },
  getScreenshot: { status: 200 },
  getReceipt: { status: 200 },
  getConsentSummary: { status: 200 },
  listConsentSummaries: { status: 200 },
  getConsentedDataScopes: { status: 200 },
  uploadDocuments: { status: 422, form: true },
  listUploadBatches: { status: 200 },
  getUploadBatch: { status: 404 },
  confirmUploadBatch: { status: 404 },
  removeUploadBatch: { status: 404 },
  readUploadAgain: { status: 404 },
  listDocuments: { status: 200 },
  getDocument: { status: 404 },
  callMcp: { status: 200, json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  callProjectMcp: { status: 200, json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  getHealth: { status: 200 },
  getReadiness: { status: 200 },
  getMetrics: { status: 404 },
  getOpenApi: { status: 200 },
  getServiceIndex: { status: 200 },
};

/** Whom each kind of caller may speak for; null: nobody. Names in a path are the ones of `patient` and its project. */
interface Kind {
  role: Exclude<Audience, 'anyone' | 'member' | 'organization'> | Role | null;
  organization?: 'own' | 'foreign';
  patient?: 'own' | 'other';
  project?: 'own' | 'other';
  /** For `/mcp` alone (RFC 8707). */
  oauth?: true;
  /** A browser with its cookies and the CSRF token of our own page. */
  page?: true;
  /** A session of the console, of a member with this role. */
  member?: true;
}

const CALLERS = {
  'no token': { role: null },
  'a garbage token': { role: null },
  'an expired token': { role: null },
  'a token signed by a foreign key': { role: null },
  'a token of a foreign key that claims our key id': { role: null },
  'a token with alg none': { role: null },
  'a token for another audience': { role: null },
  'an OAuth token': { role: 'patient', organization: 'own', patient: 'own', project: 'own', oauth: true },
  'an admin': { role: 'admin', organization: 'own' },
  'a researcher': { role: 'researcher', organization: 'own' },
  'a developer': { role: 'developer', organization: 'own' },
  'a researcher limited to the project': { role: 'researcher', organization: 'own', project: 'own' },
  'a researcher limited to another project': { role: 'researcher', organization: 'own', project: 'other' },
  'a patient': { role: 'patient', organization: 'own', patient: 'own', project: 'own' },
  'an admin of a foreign organization': { role: 'admin', organization: 'foreign' },
  'a researcher of a foreign organization': { role: 'researcher', organization: 'foreign' },
  'a patient of a foreign organization': {
    role: 'patient',
    organization: 'foreign',
    patient: 'other',
    project: 'other',
  },
  'another patient of the project': {
    role: 'patient',
    organization: 'own',
    patient: 'other',
    project: 'own',
  },
  'the patient with a token for another project': {
    role: 'patient',
    organization: 'own',
    patient: 'own',
    project: 'other',
  },
  'a browser in which nobody is signed in': { role: null, page: true },
  'a browser with a session that has ended': { role: null, page: true },
  'a browser in which the patient is signed in': { role: 'patient-session', page: true },
  'a session of the patient without the CSRF token': { role: 'patient-session' },
  'a session of an owner': { role: 'owner', organization: 'own', page: true, member: true },
  'a session of an owner without the CSRF token': { role: 'owner', organization: 'own', member: true },
  'a session of an admin': { role: 'admin', organization: 'own', page: true, member: true },
  'a session of a developer': { role: 'developer', organization: 'own', page: true, member: true },
  'a session of a researcher': { role: 'researcher', organization: 'own', page: true, member: true },
  'a session of a researcher limited to another project': {
    role: 'researcher',
    organization: 'own',
    project: 'other',
    page: true,
    member: true,
  },
  'a session of an auditor': { role: 'auditor', organization: 'own', page: true, member: true },
  'a session of an owner of a foreign organization': {
    role: 'owner',
    organization: 'foreign',
    page: true,
    member: true,
  },
  'a session of an owner that has ended': { role: null, page: true, member: true },
} as const satisfies Record<string, Kind>;

type CallerName = keyof typeof CALLERS;

/** Callers that carry cookies, not a token. */
const isBrowser = (name: CallerName): boolean => /browser|session/.test(name);

/** Of the organization that the patient decided for, and of the patient with whatever token. */
const CONSENT_RECORDS = /\{consentRecordId\}|\{studyId\}|^\/v1\/patients\/(\{patientId\}\/)?consents$/;

/** What the contract says: the page's CSRF token, the audience, then that every name in the path is the caller's own. */
function getExpectedStatus(endpoint: EndpointDefinition, kind: Kind): number {
  const { audience, permission, path, name, page, method } = endpoint;
  const permitted = REQUESTS[name]?.status ?? 0;
  if (page && method !== 'GET' && !kind.page) return 403;
  if (audience.includes('anyone')) return permitted;
  if (audience.includes('patient-session')) return kind.role === 'patient-session' ? permitted : 401;
  if (audience.includes('member')) return kind.member && kind.role !== null ? permitted : 401;
  if (kind.member && !takesMember(endpoint)) return 401;
  if (kind.member && method !== 'GET' && !kind.page) return 403;
  if (kind.role === null || kind.role === 'patient-session' || (kind.oauth && path !== '/mcp')) return 401;
  if (kind.role === 'patient' && !audience.includes('patient')) return 403;
  if (kind.role !== 'patient' && !(permission && hasPermission(kind.role, permission))) return 403;
  const foreign = kind.organization === 'foreign';
  if (path.includes('{orgId}') && foreign) return 403;
  const isLimited = kind.role === 'researcher' && kind.project === 'other';
  if (path.includes('{projectId}') && (foreign || kind.project === 'other')) return 403;
  if (path.includes('{patientId}') && kind.patient === 'other') return 403;
  if (CONSENT_RECORDS.test(path) && (kind.patient === 'other' || (kind.role !== 'patient' && foreign)))
    return 403;
  // The patient shares with a project that the key is not for.
  if (isLimited && (CONSENT_RECORDS.test(path) || /^\/FHIR\/R4\/(Person|Patient)\//.test(path))) return 403;
  // The patient takes part in no project of the foreign organization.
  if (name === 'getAccessLog' && foreign) return 403;
  if (name === 'getPatient' && isLimited) return 403;
  if (/^\/FHIR\/R4\/(Person|Patient)\//.test(path) && (foreign || kind.patient === 'other')) return 403;
  return permitted;
}

let service: TestService;
let patient: TestPatient;
let evidence: { consentRecordId: string; screenshotId: string };
let tokens: Partial<Record<CallerName, string>>;
let browser: TestBrowser;
let members: Partial<Record<CallerName, TestMember>>;
/** What the OpenAPI document says of every answer, refusals of callers included. */
let checker: OpenApiChecker;

before(async () => {
  service = await startTestService({ environment: { CHARTGATE_OAUTH_RATE_LIMIT: '1000' } });
  const stranger = await newOrganization(service);
  patient = await newTestPatient(service);
  evidence = await recordConsentWithScreenshots(service, patient);
  await service.store.db.query(sql`
    insert into doctor_run (doctor_run_id, organization_id, started_at, started_by_kind, started_by)
    values (gen_random_uuid(), ${service.organization.organizationId}, ${service.clock.now()}, 'admin', 'a key')`);
  const elsewhere = await newTestPatient(service, { projectId: await newProject(service) });
  const { payload, kid } = decodeToken(patient.token);
  const ownKey = (await createSigningKeys({ db: service.store.db, clock: service.clock }).getCurrentKey())
    .key;
  const foreignKey = (await generateKeyPair('ES256')).privateKey;
  const signed = (changes: JWTPayload, key = ownKey, keyId = kid): Promise<string> =>
    new SignJWT({ ...payload, ...changes })
      .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
      .sign(key);
  tokens = {
    'a garbage token': 'garbage',
    'an expired token': await signed({ iat: 1_600_000_000, exp: 1_600_003_600 }),
    'a token signed by a foreign key': await signed({}, foreignKey, 'another'),
    'a token of a foreign key that claims our key id': await signed({}, foreignKey),
    'a token with alg none': buildUnsignedToken(payload),
    'a token for another audience': await signed({ aud: 'https://elsewhere.example' }),
    'an OAuth token': await oauthToken(),
    'an admin': await getOrganizationToken(service, 'admin'),
    'a researcher': await getOrganizationToken(service, 'researcher'),
    'a developer': await newKeyToken({ role: 'developer' }),
    'a researcher limited to the project': await newKeyToken({ projectIds: [patient.projectId] }),
    'a researcher limited to another project': await newKeyToken({ projectIds: [elsewhere.projectId] }),
    'a patient': patient.token,
    'an admin of a foreign organization': await getOrganizationToken(service, 'admin', stranger),
    'a researcher of a foreign organization': await getOrganizationToken(service, 'researcher', stranger),
    'a patient of a foreign organization': (await newTestPatient(service, { organization: stranger })).token,
    'another patient of the project': (await newTestPatient(service)).token,
    'the patient with a token for another project': await signed({ projectId: elsewhere.projectId }),
  };
  const { organizationId } = stranger;
  const owner = await newMember(service, 'owner');
  members = {
    'a session of an owner': owner,
    'a session of an owner without the CSRF token': owner,
    'a session of an admin': await newMember(service, 'admin'),
    'a session of a developer': await newMember(service, 'developer'),
    'a session of a researcher': await newMember(service, 'researcher'),
    'a session of a researcher limited to another project': await newMember(service, 'researcher', {
      projectIds: [elsewhere.projectId],
    }),
    'a session of an auditor': await newMember(service, 'auditor'),
    'a session of an owner of a foreign organization': await newMember(service, 'owner', { organizationId }),
    'a session of an owner that has ended': owner,
  };
  browser = createTestBrowser(service);
  checker = createOpenApiChecker((await call(service, '/openapi.json')).body as OpenApiDocument);
});
after(() => service.stop());

/** The headers of a caller that has cookies; with a new session each time, since signing out ends one. */
async function buildBrowserHeaders(name: CallerName): Promise<Record<string, string>> {
  const kind: Kind = CALLERS[name];
  const csrf = await browser.csrfToken();
  const cookies = Array.from(browser.cookies, ([key, value]) => `${key}=${value}`);
  const member = members[name];
  if (member) {
    const session = await beginTestSession(service, member.memberId);
    if (kind.role === null) await endMemberSession(service.store.db, session);
    cookies.push(`chartgate-console=${session}`);
  } else if (name !== 'a browser in which nobody is signed in') {
    const now = service.clock.now();
    const session = await service.store.db.tx((tx) =>
      beginSession(tx, { patientId: patient.id as PatientId, now, by: 'signed_in', device: '' }),
    );
    if (kind.role === null) await endSession(service.store.db, session);
    cookies.push(`chartgate-session=${session}`);
  }
  return { cookie: cookies.join('; '), ...(kind.page && { 'x-csrf-token': csrf }) };
}

/** That of a new key, of a researcher unless its role is another. */
async function newKeyToken(key: { role?: string; projectIds?: string[] }): Promise<string> {
  const { organizationId } = service.organization;
  const { body } = await call(service, `/v1/organizations/${organizationId}/api-keys`, {
    token: await getOrganizationToken(service),
    json: { name: 'One study', role: 'researcher', ...key },
  });
  return (await call(service, '/v1/auth/token', { json: { apiKey: body.apiKey, apiSecret: body.apiSecret } }))
    .body.token as string;
}

/** Of the patient that the paths name, for the default project's MCP endpoint. */
async function oauthToken(): Promise<string> {
  const browser = await createSignedInBrowser(service, patient);
  const flow = { patient, browser, client: await registerClient(service), pkce: createPkce() };
  return (await obtainTokens(service, flow)).access_token as string;
}

function decodeToken(token: string): { payload: JWTPayload; kid: string } {
  const [header = '', payload = ''] = token.split('.');
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  return { payload: read(payload) as JWTPayload, kid: (read(header) as { kid: string }).kid };
}

const buildUnsignedToken = (payload: JWTPayload): string =>
  `${[{ alg: 'none', typ: 'JWT' }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

/** What members change without a proof of presence, and why: the rest shows a secret, or ends or redirects what others rely on. */
const WITHOUT_PRESENCE: Readonly<Record<string, string>> = {
  // It is the proof, or asks for the password itself, or for the provider's sign-in.
  confirmPresence: 'the proof',
  beginPasskeyConfirmation: 'the proof',
  beginOidcConfirmation: 'the proof',
  completeOidc: 'the proof',
  changeConsolePassword: 'asks for the password',
  changeOwnName: 'their own name',
  endConsoleSession: 'ends what an intruder may have, their own sessions alone',
  endOtherConsoleSessions: 'ends what an intruder may have, their own sessions alone',
  startDoctorRun: 'looks',
  checkWebhookUrl: 'looks',
  testSource: 'looks',
  createProject: 'adds',
  enrollPatients: 'adds',
  updateEnrolledPatient: "corrects the organization's own words",
  sendInvitation: 'mails what was mailed before',
  sendInvitations: 'mails what was mailed before',
  syncSource: 'fetches what is fetched anyway',
  resumeWebhook: 'brings back',
  testWebhook: 'sends to where events go anyway',
  redeliver: 'sends to where events go anyway',
  replayDeliveries: 'sends to where events go anyway',
  stopReplay: 'can be begun again',
  // Made-up people, whose secrets open nothing else.
  createTestPatient: 'made up',
  enrollTestPatient: 'made up',
  generateTestPatientRecord: 'made up',
  createTestPatientToken: 'made up',
  createTestPatientGrant: 'made up',
};

/** Those after which the patient is not there for the next caller. */
const GONE: ReadonlySet<string> = new Set(['deleteTestPatient', 'endEnrollment']);

const ENDING: ReadonlySet<string> = new Set([
  'deleteTestPatient',
  'renewTestPatientPassword',
  'endEnrollment',
]);

function buildPath({ path, name }: EndpointDefinition, spareId: string): string {
  return (
    path
      .replace('{orgId}', service.organization.organizationId)
      .replace('{projectId}', patient.projectId)
      // Whoever may delete it, or end its tokens, does that to one that no other row needs.
      .replace('{patientId}', ENDING.has(name) ? spareId : patient.id)
      .replace('{memberId}', '00000000-0000-4000-8000-000000000000')
      .replace('{invitationId}', '00000000-0000-4000-8000-000000000000')
      .replace('{apiKeyId}', '00000000-0000-4000-8000-000000000000')
      .replace('{clientId}', '00000000-0000-4000-8000-000000000000')
      .replace('{sourceId}', '00000000-0000-4000-8000-000000000000')
      .replace('{webhookId}', '00000000-0000-4000-8000-000000000000')
      .replace('{replayId}', '00000000-0000-4000-8000-000000000000')
      .replace('{deliveryId}', `evt_${'0'.repeat(26)}`)
      .replace('{batchId}', '00000000-0000-4000-8000-000000000000')
      .replace('{documentId}', '00000000-0000-4000-8000-000000000000')
      .replace('{consentRecordId}', evidence.consentRecordId)
      .replace('{screenshotId}', evidence.screenshotId)
      .replace('{markHash}', '0'.repeat(64))
      .replace('{studyId}', patient.projectId)
      .replace(/\/patients\/funnel$/, '$&?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z')
      .replace(/^\/v1\/patients\/consents$/, `$&?patientId=${patient.id}`)
      .replace('{requestId}', 'A'.repeat(32))
      .replace(/(Person|Patient)\/\{resourceId\}/, `$1/${patient.id}`)
      .replace('{resourceType}/{resourceId}', 'Observation/none')
  );
}

function buildForm(): FormData {
  const form = new FormData();
  form.append('file', new Blob(['no archive']), 'a.zip');
  return form;
}

describe('every endpoint of the contract', () => {
  it('has a row in this matrix, and no row is left of one that is gone', () => {
    assert.deepEqual(Object.keys(REQUESTS).sort(), ENDPOINTS.map(({ name }) => name).sort());
  });

  for (const endpoint of ENDPOINTS) {
    it(`${endpoint.name} answers each kind of caller as its audience and path say`, async () => {
      const request = REQUESTS[endpoint.name];
      const newSpare = () => newTestPatient(service, { consent: false });
      let spare = await newSpare();
      // An endpoint before it may have withdrawn, and with that ended the grant.
      await decide(service, patient, 'OPTED_IN');
      if (endpoint.protectedResource) tokens['an OAuth token'] = await oauthToken();
      const answers: Record<string, number> = {};
      for (const name of Object.keys(CALLERS) as CallerName[]) {
        const url = buildPath(endpoint, spare.id);
        const { status, headers, body } = await call(service, url, {
          method: endpoint.method,
          token: tokens[name],
          ...(isBrowser(name) && { headers: await buildBrowserHeaders(name) }),
          ...(request?.json !== undefined && { json: request.json }),
          ...(request?.form && { body: buildForm() }),
        });
        answers[name] = status;
        // Who is gone is nobody's.
        if (GONE.has(endpoint.name) && status === 204) spare = await newSpare();
        const exchange = { method: endpoint.method, url, json: request?.json, status, headers, body };
        assert.deepEqual(checker.check(exchange).faults, [], name);
      }
      const wanted = Object.entries(CALLERS).map(([name, kind]) => [name, getExpectedStatus(endpoint, kind)]);
      assert.deepEqual(answers, Object.fromEntries(wanted));
    });
  }

  it('takes sessions only as an endpoint of our own pages, and never beside tokens', () => {
    const faulty = ENDPOINTS.filter(takesSession).filter(
      ({ page, audience }) => !page || audience.some((one) => one === 'organization' || one === 'patient'),
    );
    assert.deepEqual(faulty, []);
  });

  it('names a permission where it is for organizations, and only there', () => {
    const faulty = ENDPOINTS.filter(
      ({ audience, permission }) => audience.includes('organization') !== (permission !== undefined),
    );
    assert.deepEqual(faulty, []);
  });

  it('has an endpoint for every permission that a role may hold', () => {
    const named = new Set(ENDPOINTS.flatMap(({ permission }) => permission ?? []));
    assert.deepEqual(
      PERMISSIONS.filter((permission) => !named.has(permission)),
      [],
    );
  });

  it('asks members for presence before all that they change, but for what is listed with a reason', () => {
    const unasked = ENDPOINTS.filter(
      (endpoint) =>
        endpoint.method !== 'GET' &&
        endpoint.presence !== true &&
        (takesMember(endpoint) || endpoint.audience.includes('member')),
    );
    assert.deepEqual(unasked.map(({ name }) => name).sort(), Object.keys(WITHOUT_PRESENCE).sort());
  });

  it('has rows that distinguish a permitted caller from a refused one', () => {
    const guarded = ENDPOINTS.filter(({ audience, page }) => page === true || !audience.includes('anyone'));
    const ambiguous = guarded.filter(({ name }) => [401, 403].includes(REQUESTS[name]?.status ?? 401));
    assert.deepEqual(
      ambiguous.map(({ name }) => name),
      [],
    );
  });
});

/** Parameters at one place of several paths may have several names; the router draws them as one. */
const maskParameters = (path: string): string => path.replace(/\{\w+\}(\|\{\w+\})*/g, '{}');

describe('the routes of the running service', () => {
  // Pages, and the root, which is /mcp but for reading.
  const besides =
    /^((GET|HEAD) \/(consent|consent-preview|console|docs)(\/?\*)?|(POST|PUT|PATCH|DELETE) \/)$/;

  it('hold every endpoint of the contract', () => {
    const missing = ENDPOINTS.filter(
      ({ method, path }) => !service.app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }),
    );
    assert.deepEqual(missing, []);
  });

  it('hold no other path than the contract', () => {
    const paths = new Set(ENDPOINTS.map(({ path }) => maskParameters(path)));
    for (const { method, path } of parseRegisteredRoutes(service.app.printRoutes({ commonPrefix: false }))) {
      if (besides.test(`${method} ${path}`)) continue;
      assert.ok(paths.has(path), `${path} is not in the contract`);
    }
  });

  it('answer 405 with Allow to all that the contract does not list', async () => {
    const byPath = Map.groupBy(ENDPOINTS, ({ path }) => maskParameters(path));
    const headers = { host: new URL(service.baseUrl).host };
    for (const [path, endpoints] of byPath) {
      const allowed = endpoints.map(({ method }) => method as string).sort();
      const url = path.replaceAll('{}', '00000000-0000-4000-8000-000000000000');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const) {
        if (allowed.includes(method) || besides.test(`${method} ${path}`)) continue;
        // Whatever address below it somebody opens, the console draws.
        if (method === 'GET' && path.startsWith('/console/')) continue;
        for (const body of [{}, { payload: '{', headers: { ...headers, 'content-type': 'text/odd' } }]) {
          const answer = await service.app.inject({ method, url, headers, ...body });
          assert.equal(answer.statusCode, 405, `${method} ${path}`);
          const allow = String(answer.headers.allow).split(', ');
          const taken = path === '/' ? ['GET', 'POST'] : allowed;
          assert.deepEqual(allow.filter((name) => name !== 'HEAD').sort(), taken, `${method} ${path}`);
        }
      }
    }
  });

  it('case 372: answer 405 with Allow to what a page is not asked for by', async () => {
    const headers = { host: new URL(service.baseUrl).host };
    for (const url of ['/console', '/console/webhooks', '/consent', '/consent/', '/docs', '/docs/oauth'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const) {
        const { statusCode, headers: answer } = await service.app.inject({ method, url, headers });
        assert.deepEqual([statusCode, answer.allow], [405, 'GET, HEAD'], `${method} ${url}`);
      }
    for (const method of ['GET', 'POST', 'OPTIONS', 'TRACE'] as const) {
      const answer = await service.app.inject({ method, url: '/nothing', headers });
      assert.deepEqual([answer.statusCode, answer.headers.allow], [404, undefined], method);
    }
  });
});

/** Fastify's drawing of its routes, as paths without the names of parameters. */
function parseRegisteredRoutes(drawing: string): { method: string; path: string }[] {
  const parents: string[] = [];
  return drawing.split('\n').flatMap((line) => {
    const match = /^(?<indent>[│ ]*)[├└]── (?<part>\S+)(?: \((?<methods>[^)]*)\))?/.exec(line);
    if (!match?.groups) return [];
    const depth = (match.groups['indent'] ?? '').length / 4;
    parents[depth] = (depth > 0 ? (parents[depth - 1] ?? '') : '') + (match.groups['part'] ?? '');
    const path = maskParameters(parents[depth].replace(/:(\w+)/g, '{$1}'));
    return (match.groups['methods'] ?? '')
      .split(', ')
      .filter(Boolean)
      .map((method) => ({ method, path }));
  });
}
