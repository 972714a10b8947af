import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'fhir-kit-client';
import { newAccount, requestMailedLink, newPerson } from './harness/account.ts';
import { createArchive, createBundle } from './harness/archive.ts';
import {
  buildAuthorizePath,
  callMcp,
  createPkce,
  createSignedInBrowser,
  decideRequest,
  exchangeCode,
  getRequestId,
  newFlow,
  obtainCode,
  postForm,
  refresh,
  registerClient,
  waitUntilReady,
} from './harness/authorization.ts';
import { setBrand } from './harness/brand.ts';
import { recordConsentWithScreenshots } from './harness/consent-record.ts';
import { buildScreenshot } from './harness/evidence.ts';
import { extractLinkToken, listMailsTo, waitForMail } from './harness/mails.ts';
import {
  createConsoleBrowser,
  getTotpCode,
  MEMBER_PASSWORD,
  newMember,
  signInAs,
  type ConsoleBrowser,
} from './harness/member.ts';
import { requestDownload, uploadOnPage, waitForUploads } from './harness/my-data.ts';
import {
  createOpenApiChecker,
  observeFetch,
  type Exchange,
  type OpenApiDocument,
} from './harness/openapi.ts';
import {
  call,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from './harness/service.ts';
import { decideEnrollment, invite, newInvited, newStudy } from './harness/study.ts';
import { createTestBrowser, type TestBrowser } from './harness/test-browser.ts';
import { createWebhookApi, emitEvents } from './harness/webhooks.ts';

const RECORD = createBundle(
  { resourceType: 'Patient', id: 'p', birthDate: '1970-01-01' },
  {
    resourceType: 'Observation',
    id: 'o',
    status: 'final',
    code: { text: 'Weight' },
    effectiveDateTime: '2020-01-01',
  },
  { resourceType: 'Condition', id: 'c', code: { text: 'Asthma' } },
);
/** What a review has before it is decided, well and badly written. */
async function sendDrafts(
  { browser, email }: { browser: TestBrowser; email: string },
  url: string,
  more: object = {},
): Promise<void> {
  const now = browser.now();
  for (const confirmedAs of [email, 'somebody@else.example']) {
    const draft = { ...more, confirmedAs, choices: CHOICES, changedAt: now.toISOString() };
    await browser.post(`${url}/draft`, draft);
    await browser.post(`${url}/screens`, { ...more, confirmedAs, ...buildScreenshot(now), shown: {} });
  }
  for (const path of ['draft', 'screens']) await browser.post(`${url}/${path}`, { data: 'none' });
}

const CHOICES = {
  categories: ['LABS'],
  sensitivities: [],
  duration: '30-days',
  day: '',
  representative: null,
};

const NOBODY = '01999999-0000-7000-8000-000000000000';

/**
 * Operations that no call here brings to a success: passkeys need an authenticator and a name instead of an address, the others the
 * secret of a mail, an operator's token, an unread document, a server that answers. Their own tests do.
 */
const WITHOUT_SUCCESS = [
  'addConsolePasskey',
  'addPasskey',
  'beginConsolePasskey',
  'beginConsolePasskeySignIn',
  'beginOidcConfirmation',
  'beginOidcJoin',
  'beginOidcSignIn',
  'beginPasskey',
  'beginPasskeyConfirmation',
  'beginPasskeySignIn',
  'chooseConsolePassword',
  'completeOidc',
  'getMetrics',
  'getSourceKeys',
  'readMyUploadAgain',
  'readUploadAgain',
  'removeConsolePasskey',
  'removePasskey',
  'signInByPasskey',
  'signInToConsoleByPasskey',
  'stateMyUnreadDocument',
];

type Json = Record<string, unknown>;

let service: TestService;
let document: OpenApiDocument;
let checker: ReturnType<typeof createOpenApiChecker>;
let endObservation: () => void;
const exchanges: Exchange[] = [];

let patient: TestPatient;
let admin: string;
let organization: string;
/** Of the patient, with evidence. */
let consentRecordId: string;

before(async () => {
  service = await startTestService({ environment: { CHARTGATE_OAUTH_RATE_LIMIT: '40' } });
  document = (await call(service, '/openapi.json')).body as OpenApiDocument;
  checker = createOpenApiChecker(document);
  endObservation = observeFetch(service.baseUrl, (exchange) => exchanges.push(exchange));
  patient = await newTestPatient(service);
  admin = await getOrganizationToken(service);
  organization = `/v1/organizations/${service.organization.organizationId}`;
});
after(async () => {
  endObservation();
  await service.stop();
});

/** Sends a call and returns its body; the statuses are part of what is checked. */
async function send(
  expected: number,
  url: string,
  { method, token = admin, ...request }: Parameters<typeof call>[2] = {},
): Promise<Json> {
  const { status, body } = await call(service, url, { token, ...(method && { method }), ...request });
  assert.equal(status, expected, `${method ?? ''} ${url}: ${JSON.stringify(body)}`);
  return body as Json;
}

/** The session of a member besides that of the browser itself. */
async function findOtherSession(browser: ConsoleBrowser, known: readonly { id: string }[]): Promise<string> {
  const { sessions } = (await browser.get('/console/sessions')).body as {
    sessions: { id: string; isThis: boolean }[];
  };
  const other = sessions.find(({ id, isThis }) => !isThis && known.every((one) => one.id !== id));
  assert.ok(other);
  return other.id;
}

describe('calls of every kind', () => {
  it('obtain tokens, keys and metadata', async () => {
    await send(200, '/v1/auth/token', {
      json: { email: patient.email, password: patient.password, projectId: patient.projectId },
    });
    await send(400, '/v1/auth/token', { json: {} });
    await send(401, '/v1/auth/token', { json: { apiKey: 'nobody', apiSecret: 'nothing' } });
    await send(415, '/v1/auth/token', { body: '<x/>', headers: { 'content-type': 'text/xml' } });
    await send(413, '/v1/auth/token', { json: { apiKey: 'x'.repeat(1_100_000) } });
    await send(405, '/v1/auth/token', { method: 'GET' });
    await send(400, '/v1/webhook-event-types?x=1');
    for (const path of [
      'jwks.json',
      'oauth-authorization-server',
      'oauth-protected-resource',
      'oauth-protected-resource/mcp',
    ])
      await send(200, `/.well-known/${path}`);
    const resource = '/.well-known/oauth-protected-resource/projects';
    await send(200, `${resource}/${patient.projectId}/mcp`);
    await send(404, `${resource}/${NOBODY}/mcp`);
    await send(400, `${resource}/none/mcp`);
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/', '/v1/webhook-event-types'])
      await send(200, path);
    await send(404, '/metrics');
  });

  it('manage test patients, projects and enrollment', async () => {
    const all = `${organization}/test-patients`;
    const { patient: created } = (await send(201, all, {
      json: { firstName: 'Ada', lastName: 'Test', dateOfBirth: '1980-02-29' },
    })) as { patient: { id: string } };
    await send(400, all, { json: { dateOfBirth: '1980-02-30' } });
    await send(200, `${all}?limit=1&offset=0`);
    await send(400, `${all}?limit=-1`);
    await send(400, `${all}?unheard=1`);
    await send(200, `${all}/${created.id}`);
    await send(404, `${all}/${NOBODY}`);
    await send(200, `${all}/${created.id}/password`, { method: 'POST' });
    const { projectId } = service.organization;
    const member = `${all}/${created.id}/projects/${projectId}`;
    await send(409, `${member}/token`, { method: 'POST' });
    await send(409, `${member}/grant`, { json: {} });
    await send(204, member, { method: 'PUT' });
    const issued = await send(200, `${member}/token`, { method: 'POST' });
    await send(409, `${member}/grant`, { json: {} });
    const ada = { id: created.id, projectId, token: issued['token'] as string };
    assert.equal((await decide(service, ada, 'OPTED_IN')).status, 201);
    await send(201, `${member}/grant`, { json: { consentDataResourceScopes: ['LABS'] } });
    await send(400, `${member}/grant`, { json: { consentDataResourceScopes: [] } });
    await send(404, `${all}/${NOBODY}/projects/${projectId}/token`, { method: 'POST' });
    await send(403, `${all}/${created.id}/projects/${NOBODY}`, { method: 'PUT' });
    await send(202, `${all}/${created.id}/generate-record`, { json: { years: 1, seed: 7 } });
    await send(400, `${all}/${created.id}/generate-record`, { json: { years: 60 } });
    await send(404, `${all}/${NOBODY}/generate-record`, { method: 'POST' });
    await send(204, `${all}/${created.id}`, { method: 'DELETE' });
    await send(404, `${all}/${created.id}`, { method: 'DELETE' });
    await send(401, all, { token: 'none' });
    await send(403, all, { token: patient.token });
    await send(403, `/v1/organizations/${NOBODY}/test-patients`);

    const projects = `${organization}/projects`;
    const project = (await send(201, projects, { json: { name: 'Sleep study' } })) as {
      id?: string;
      projectId?: string;
    };
    const id = project.projectId ?? project.id ?? '';
    await send(400, projects, { json: {} });
    await send(200, projects);
    await send(200, `${projects}/${id}`);
    await send(403, `${projects}/${NOBODY}`);
    await send(200, `${projects}/${id}`, { method: 'PATCH', json: { name: 'Sleep' } });
    await send(400, `${projects}/${id}`, { method: 'PATCH', json: { name: 7 } });
    await send(200, `${projects}/${id}/versions`);
    await send(200, `${projects}/figures`);

    const people = `/v1/projects/${id}/patients`;
    const person = {
      email: 'ann@mail.example',
      firstName: 'Ann',
      lastName: 'Other',
      externalId: 'x1',
      phone: '+1 555 0100',
      languagePreference: 'es',
    };
    await send(200, people, { json: { patients: [person, { ...person, email: 'bob@mail.example' }] } });
    await send(200, people, { json: { patients: [person], suppressNotifications: true } });
    await send(400, people, { json: { patients: [] } });
    await send(403, `/v1/projects/${NOBODY}/patients`, { json: { patients: [person] } }).catch(
      () => undefined,
    );
  });

  it('manage API keys', async () => {
    const keys = `${organization}/api-keys`;
    const json = { name: 'Nightly export', role: 'researcher', projectIds: [patient.projectId] };
    const created = await send(201, keys, { json });
    await send(400, keys, { json: { ...json, role: 'owner' } });
    await send(401, keys, { token: 'none' });
    await send(403, keys, { token: patient.token, json });
    await send(200, keys);
    const one = `${keys}/${String(created['id'])}`;
    await send(200, `${one}/rotate`, { json: { graceSeconds: 60 } });
    await send(409, `${one}/rotate`, { method: 'POST' });
    await send(400, `${one}/rotate`, { json: { graceSeconds: -1 } });
    await send(404, `${keys}/${NOBODY}/rotate`, { method: 'POST' });
    await send(200, `${one}/end-former-secrets`, { method: 'POST' });
    await send(404, `${keys}/${NOBODY}/end-former-secrets`, { method: 'POST' });
    await send(204, one, { method: 'DELETE' });
    await send(404, `${keys}/${NOBODY}`, { method: 'DELETE' });
    const { results } = (await send(200, `${keys}?limit=1000`)) as {
      results: { id: string; role: string }[];
    };
    const last = results.find(({ role }) => role === 'admin')?.id ?? '';
    await send(409, `${keys}/${last}`, { method: 'DELETE' });
  });

  it('look at apps, vouch for them and block them', async () => {
    const clients = `${organization}/clients`;
    const flow = await newFlow(service, { client_uri: 'https://agent.example/' });
    await exchangeCode(service, flow, await obtainCode(flow));
    const { results } = (await send(200, `${clients}?limit=1`)) as { results: { id: string }[] };
    const one = `${clients}/${results[0]?.id}`;
    await send(200, `${clients}?judgement=new,blocked`);
    await send(400, `${clients}?judgement=new,bad`);
    await send(200, one);
    await send(404, `${clients}/${NOBODY}`);
    const judge = (status: number, json: object) => send(status, one, { method: 'PATCH', json });
    await judge(200, { judgement: 'vouched', note: 'Ours', until: '2100-01-01T00:00:00Z' });
    await judge(400, { judgement: 'blocked' });
    await judge(200, { judgement: 'blocked', note: 'Leaked', dryRun: true });
    await judge(200, { judgement: 'blocked', note: 'Leaked' });
    const clientId = flow.client.client_id as string;
    const turnedAway = await flow.browser.get(
      buildAuthorizePath({ clientId, challenge: flow.pkce.challenge }),
    );
    assert.equal(turnedAway.status, 403);
    await judge(409, { judgement: 'vouched', note: 'Ours' });
    await judge(200, { judgement: 'new' });
  });

  it('sign in to the console, and manage members', async () => {
    const member = await newMember(service, 'owner');
    const browser = createConsoleBrowser(service);
    const expect = async (status: number, answer: Promise<HttpResponse>): Promise<Json> => {
      const { status: actual, body } = await answer;
      assert.equal(actual, status, JSON.stringify(body));
      return body as Json;
    };
    const login = { email: member.email, password: MEMBER_PASSWORD };
    await expect(401, browser.post('/console/sign-in', login));
    await expect(400, browser.post('/console/sign-in', {}));
    const code = getTotpCode(service, member.totpSecret);
    await expect(200, browser.post('/console/sign-in', { ...login, code }));
    await expect(200, browser.get('/console/session'));
    const { sessions } = (await expect(200, browser.get('/console/sessions'))) as {
      sessions: { id: string }[];
    };
    await expect(204, browser.post('/console/confirm', { password: MEMBER_PASSWORD }));
    await expect(401, browser.post('/console/confirm', { password: 'wrong' }));
    const { secret } = await expect(200, browser.post('/console/totp'));
    await expect(400, browser.post('/console/totp/activate', { code: '000000' }));
    await expect(
      200,
      browser.post('/console/totp/activate', { code: getTotpCode(service, secret as string) }),
    );
    await expect(200, browser.post('/console/recovery-codes'));
    // An IP address has no passkeys.
    await expect(200, browser.get('/console/passkeys'));
    await expect(409, browser.post('/console/passkeys/options'));
    await expect(409, browser.post('/console/passkeys', { name: 'Phone', response: {} }));
    await expect(404, browser.post('/console/passkeys/remove', { id: NOBODY }));
    await expect(409, browser.post('/console/confirm/options'));
    await expect(409, browser.post('/console/sign-in/passkey/options'));
    for (const path of ['sign-in/oidc', 'confirm/oidc', 'identity'])
      await expect(404, browser.post(`/console/${path}`));
    await expect(404, browser.post('/console/sign-in/oidc/complete', { parameters: {} }));
    await expect(401, browser.post('/console/sign-in/passkey', { response: {} }));
    await expect(404, browser.post('/console/sessions/end', { id: NOBODY }));
    await expect(204, browser.post('/console/name', { name: 'Ana Ruiz' }));
    await expect(400, browser.post('/console/name', { name: '' }));
    const change = { currentPassword: MEMBER_PASSWORD, newPassword: 'seven green umbrellas in the attic' };
    await expect(204, browser.post('/console/password', change));

    const members = `${organization}/members`;
    const invitations = `${organization}/invitations`;
    const email = 'ana@clinic.example';
    const invited = await expect(201, browser.post(invitations, { email, role: 'auditor' }));
    await expect(400, browser.post(invitations, { email, role: 'boss' }));
    await expect(409, browser.post(invitations, { email: member.email, role: 'auditor' }));
    await expect(200, browser.get(invitations));
    const mail = await waitForMail(service, email);
    const token = /invitation#([\w-]{43})$/m.exec(mail.text ?? '')?.[1] ?? '';
    const other = createConsoleBrowser(service);
    await expect(200, other.post('/console/invitations/open', { token }));
    await expect(404, other.post('/console/invitations/open', { token: 'x'.repeat(43) }));
    const accept = { token, password: 'nine yellow kites over the lake', name: 'Ana Ruiz' };
    await expect(200, other.post('/console/invitations/accept', accept));
    await expect(404, other.post('/console/invitations/accept', accept));
    await expect(403, other.post('/console/recovery-codes'));
    await expect(202, other.post('/console/forgotten-password', { email: 'nobody@clinic.example' }));
    await expect(400, other.post('/console/forgotten-password', {}));
    const chosen = { token: 'x'.repeat(43), password: 'seven boats on a grey river' };
    await expect(404, other.post('/console/forgotten-password/choose', chosen));
    const { results } = (await expect(200, browser.get(members))) as {
      results: { id: string; email: string }[];
    };
    const ana = `${members}/${results.find((one) => one.email === email)?.id}`;
    await expect(200, browser.send('PATCH', ana, { role: 'developer' }));
    await expect(403, call(service, ana, { method: 'PATCH', token: admin, json: { role: 'owner' } }));
    await expect(202, browser.post(`${ana}/reset`));
    await expect(204, browser.send('DELETE', ana));
    await expect(404, browser.send('DELETE', ana));
    await expect(404, browser.send('DELETE', `${invitations}/${String(invited['id'])}`));
    const again = await expect(
      201,
      browser.post(invitations, { email: 'bo@clinic.example', role: 'auditor' }),
    );
    await expect(204, browser.send('DELETE', `${invitations}/${String(again['id'])}`));
    await expect(400, browser.get(members, { authorization: `Bearer ${admin}` }));
    service.clock.advance(6 * 60_000);
    await expect(403, browser.send('DELETE', ana));
    await expect(401, createConsoleBrowser(service).get('/console/sessions'));
    const second = await signInAs(service, member);
    await expect(
      204,
      browser.post('/console/sessions/end', { id: await findOtherSession(browser, sessions) }),
    );
    await expect(204, browser.post('/console/sessions/end-others'));
    await expect(401, second.get('/console/sessions'));
    await expect(204, browser.post('/console/sign-out'));
  });

  it('name the organization, and correct, invite again and end who is enrolled', async () => {
    const contact = { name: 'Dr. Ana Ruiz', email: 'asthma@riverside.example' };
    await send(200, organization);
    await send(200, organization, {
      method: 'PATCH',
      json: { displayName: 'Riverside Clinic', contact, languages: ['en', 'es'] },
    });
    await send(400, organization, { method: 'PATCH', json: { displayName: '' } });
    const { mark } = await setBrand(service, '#1d4ed8');
    await send(400, `${organization}/mark`, { method: 'PUT', json: { image: 'bm8gcGljdHVyZQ==' } });
    await send(200, `/account/marks/${mark}`);
    await send(404, `/account/marks/${'0'.repeat(64)}`);
    await send(200, `${organization}/mark`, { method: 'DELETE' });
    await send(401, organization, { token: 'none' });
    await send(403, organization, { method: 'PATCH', token: patient.token, json: { displayName: 'Mine' } });
    await send(403, `/v1/organizations/${NOBODY}`);

    const study = await newStudy(service);
    const people = `/v1/projects/${study}/patients`;
    const [person, other] = await invite(service, study, [newPerson(), newPerson()], {
      suppressNotifications: true,
    });
    assert.ok(person && other);
    const one = `${people}/${person.patientId}`;
    for (let count = 0; count < 3; count++) await send(202, `${one}/invitation`, { method: 'POST' });
    await send(429, `${one}/invitation`, { method: 'POST' });
    const listed = `${organization}/patients`;
    await send(200, `${listed}?q=jo&projectId=${study}`);
    await send(400, `${listed}?state=none`);
    await send(200, `${listed}/${person.patientId}`);
    await send(403, `${listed}/${NOBODY}`);
    await send(200, `${listed}/funnel?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z`);
    await send(400, `${listed}/funnel`);
    await send(202, `${listed}/invitations`, { json: { projectId: study, dryRun: true } });
    await send(400, `${listed}/invitations`, { json: { state: 'deleted' } });
    const ending = `${listed}/end-enrollments`;
    await send(200, ending, { json: { projectId: study, dryRun: true } });
    await send(400, ending, { json: { projectId: study } });
    await send(409, ending, { json: { projectId: study, expected: 0 } });
    const unknown = `${people}/${NOBODY}`;
    await send(403, `${unknown}/invitation`, { method: 'POST' });
    await send(401, `${one}/invitation`, { method: 'POST', token: 'none' });
    const correction = { firstName: 'Joan', externalId: 'MRN 12', phone: '+1 555 0100' };
    await send(200, one, { method: 'PATCH', json: correction });
    await send(200, one, { method: 'PATCH', json: { externalId: null, phone: null } });
    await send(400, one, { method: 'PATCH', json: {} });
    await send(403, unknown, { method: 'PATCH', json: correction });
    await send(409, one, { method: 'PATCH', json: { email: other.email } });
    await send(403, one, { method: 'DELETE', token: patient.token });
    await send(204, one, { method: 'DELETE' });
    await send(204, one, { method: 'DELETE' });
    await send(403, unknown, { method: 'DELETE' });
    await send(403, `/v1/projects/${NOBODY}/patients/${other.patientId}`, { method: 'DELETE' });
  });

  it('show an invitation and decide on it', async () => {
    const study = await newStudy(service);
    const person = await newInvited(service, study);
    const { browser } = person;
    const stranger = createTestBrowser(service);
    const page = '/account/enrollments';
    assert.equal((await browser.get(page)).status, 200);
    assert.equal((await stranger.get(page)).status, 401);
    for (const each of [browser, stranger]) assert.equal((await each.get(`${page}/${study}`)).status, 200);
    assert.equal((await browser.get(`${page}/${NOBODY}`)).status, 404);
    assert.equal((await browser.get(`${page}/none`)).status, 400);
    assert.equal((await decideEnrollment({ ...person, browser: stranger }, study)).status, 401);
    assert.equal((await decideEnrollment(person, study, { screens: [] })).status, 400);
    const consentType = 'DATA_AUTHORIZATION';
    await sendDrafts(person, `${page}/${study}`, { consentType });
    await sendDrafts({ ...person, browser: stranger }, `${page}/${study}`, { consentType });
    await sendDrafts(person, `${page}/${NOBODY}`, { consentType });
    assert.equal((await decideEnrollment(person, study, { confirmedAs: 'x' })).status, 409);
    assert.equal((await decideEnrollment(person, study)).status, 200);
    assert.equal((await decideEnrollment(person, study, { replaces: null })).status, 409);
    assert.equal((await decideEnrollment(person, study, { decision: 'deny' })).status, 200);
    assert.equal((await browser.get(`${page}/${study}`)).status, 200);
    await send(204, `/v1/projects/${study}/patients/${person.patientId}`, { method: 'DELETE' });
    assert.equal((await decideEnrollment(person, study)).status, 403);
  });

  it('decide, and read consents', async () => {
    const { screenshotId, ...recorded } = await recordConsentWithScreenshots(service, patient);
    consentRecordId = recorded.consentRecordId;
    const decision = `/v1/projects/${patient.projectId}/test-patients/${patient.id}/consent`;
    await send(201, decision, {
      token: patient.token,
      json: {
        consentStatus: 'OPTED_IN',
        consentType: 'FUTURE_DATA_USE',
        expirationTimestamp: new Date(service.clock.now().getTime() + 86_400_000).toISOString(),
      },
    });
    await send(400, decision, { token: patient.token, json: { consentStatus: 'MAYBE' } });
    const withdrawal = `/v1/projects/${patient.projectId}/patients/${patient.id}/consent`;
    await send(201, withdrawal, {
      token: patient.token,
      json: { consentStatus: 'OPTED_OUT', consentType: 'FUTURE_DATA_USE' },
    });
    await send(400, withdrawal, { token: patient.token, json: { consentStatus: 'OPTED_IN' } });
    await send(200, `/v1/patients/consents?patientId=${patient.id}`);
    await send(200, `/v1/patients/consents?patientId=${patient.id.toUpperCase()}`);
    await send(200, `/v1/patients/consents?patientId=${patient.id}`, {
      headers: { 'if-modified-since': '2020-01-01T00:00:00Z' },
    });
    await send(400, '/v1/patients/consents');
    await send(403, `/v1/patients/consents?patientId=${NOBODY}`);
    const record = `/v1/consents/${consentRecordId}`;
    for (const path of ['', '/screenshots', `/screenshots/${screenshotId}`]) await send(200, record + path);
    for (const accept of ['*/*', 'application/json', 'application/jose'])
      await send(200, `${record}/receipt`, { headers: { accept } });
    await send(403, `/v1/consents/${NOBODY}`);
    await send(400, '/v1/consents/none');
    await send(404, `${record}/screenshots/${NOBODY}`);
    await send(200, `${record}/evidence`);
    await send(403, `/v1/consents/${NOBODY}/evidence`);
    await send(200, `${organization}/consent-records/${consentRecordId}`);
    await send(403, `${organization}/consent-records/${NOBODY}`);
    for (const query of ['', `?limit=1&state=replaced`, `?after=${consentRecordId}`])
      await send(200, `${organization}/consent-records${query}`);
    for (const query of [`?after=${NOBODY}`, '?decision=maybe', '?sort=name'])
      await send(400, `${organization}/consent-records${query}`);
    await send(200, `${organization}/consent-page-versions?projectId=${patient.projectId}`);
    await send(400, `${organization}/consent-page-versions?limit=201`);
    await send(200, `${organization}/consent-stats?bucket=month&projectId=${patient.projectId}`);
    await send(400, `${organization}/consent-stats?from=2026-02-01&to=2026-01-01`);
    await send(200, `/v1/patients/${patient.id}/consents`);
    await send(200, `/v1/projects/${patient.projectId}/consents?limit=2`);
    await send(200, `/v1/patients/${patient.id}/consented-data-scopes/study/${patient.projectId}`);
    await send(403, `/v1/patients/${NOBODY}/consents`);
    await send(200, `/v1/patients/${patient.id}/access-log`, { token: patient.token });
    await send(202, `${organization}/doctor`, { method: 'POST' });
    await send(200, `${organization}/doctor`);
    await send(200, `${organization}/audit-events?limit=3`);
    await send(403, `${organization}/audit-events`, { token: patient.token });
    await send(200, `${organization}/audit-events/export?action=consent.recorded`);
    await send(200, `${organization}/audit-events/export?format=csv`);
    await send(200, `${organization}/audit/checkpoints?limit=2`);
    await send(200, `${organization}/access-log?limit=2`);
    await send(200, `${organization}/attention`);
    await send(200, `${organization}/first-steps`);
    await send(200, `${organization}/usage?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&by=project`);
    await send(200, `${organization}/daily-figures?from=2026-01-01&to=2026-01-31`);
  });

  it('upload documents and read them as FHIR', async () => {
    const uploads = `/v1/patients/${patient.id}/upload-documents`;
    await upload(
      service,
      patient,
      await createArchive({ 'record.json': RECORD, 'odd.json': '{', 'letter.txt': 'Seen today.' }),
    );
    const { results } = (await send(200, uploads, { token: patient.token })) as {
      results: { batchId: string }[];
    };
    await send(200, `${uploads}/${results[0]?.batchId}`, { token: patient.token });
    await send(200, `${organization}/uploads/${results[0]?.batchId}`);
    await send(404, `${organization}/uploads/${NOBODY}`);
    await send(404, `${uploads}/${NOBODY}`, { token: patient.token });
    await send(404, `${uploads}/${NOBODY}/read-again`, { method: 'POST', token: patient.token });
    await send(202, `${uploads}/${results[0]?.batchId}/confirm`, { method: 'POST', token: patient.token });
    await send(404, `${uploads}/${NOBODY}/confirm`, { method: 'POST', token: patient.token });
    const second = await upload(service, patient, await createArchive({ 'again.json': RECORD }));
    await send(204, `${uploads}/${second.batchId}`, { method: 'DELETE', token: patient.token });
    await send(404, `${uploads}/${second.batchId}`, { method: 'DELETE', token: patient.token });
    const broken = new FormData();
    broken.append('file', new Blob(['no archive']), 'a.zip');
    await send(422, uploads, { token: patient.token, body: broken });
    await send(400, uploads, { token: patient.token, body: new FormData() });
    const documents = (await send(200, `/v1/patients/${patient.id}/documents`, { token: patient.token })) as {
      results: { documentId: string }[];
    };
    await call(
      service,
      `/v1/patients/${patient.id}/documents/${documents.results[0]?.documentId ?? NOBODY}`,
      { token: patient.token },
    );
    await send(404, `/v1/patients/${patient.id}/documents/${NOBODY}`, { token: patient.token });

    const fhir = '/FHIR/R4';
    await send(200, `${fhir}/metadata`);
    await send(406, `${fhir}/metadata`, { headers: { accept: 'application/fhir+xml' } });
    for (const path of [`Person/${patient.id}`, `Person/${patient.id}/Observation/o`, 'Observation/o'])
      await send(200, `${fhir}/${path}`);
    await send(404, `${fhir}/Observation/none`);
    await send(403, `${fhir}/Person/${NOBODY}`);
    const other = await newTestPatient(service);
    await upload(
      service,
      other,
      await createArchive({
        'o.json': { resourceType: 'Observation', id: 'o' },
        'p.json': { resourceType: 'Patient', id: 'p' },
      }),
    );
    await send(409, `${fhir}/Observation/o`);
    await send(409, `${fhir}/Patient/p/$everything`);
    for (const operation of [
      `${fhir}/Person/${patient.id}/$everything`,
      `${fhir}/Patient/${patient.id}/$everything`,
    ]) {
      await send(200, `${operation}?_count=2&_type=Observation&start=2019&end=2020`);
      await send(200, operation, { headers: { accept: 'application/fhir+ndjson' } });
      await send(200, operation, { method: 'HEAD' });
      await send(200, operation, { method: 'POST' });
      await send(400, `${operation}?_count=x`);
      await send(400, `${operation}?_elements=id`, { headers: { prefer: 'handling=strict' } });
      await send(406, operation, { headers: { accept: 'text/csv' } });
      await send(415, operation, { body: '<x/>', headers: { 'content-type': 'application/fhir+xml' } });
      await send(413, operation, {
        body: `"${'x'.repeat(70_000)}"`,
        headers: { 'content-type': 'application/fhir+json' },
      });
      await send(401, operation, { token: 'none' });
      await send(405, operation, { method: 'PUT' });
    }
    const client = new Client({ baseUrl: `${service.baseUrl}${fhir}`, bearerToken: admin });
    await client.operation({
      name: '$everything',
      resourceType: 'Person',
      id: patient.id,
      input: { resourceType: 'Parameters', parameter: [{ name: 'start', valueDate: '2020' }] },
    });
    await send(403, `${fhir}/Person/${NOBODY}/$everything`);
    await send(403, `${fhir}/Person/none/$everything`);
  });

  it('speak MCP, in every protocol and with every fault', async () => {
    for (const name of ['initialize', 'ping', 'tools/list', 'resources/list', 'tools/call', 'none'])
      await callMcp(service, patient.token, name);
    for (const path of ['/mcp', `/projects/${patient.projectId}/mcp`]) {
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      await call(service, path, { token: patient.token, json });
      await call(service, path, { token: patient.token, json, headers: { accept: 'text/event-stream' } });
      await send(202, path, {
        token: patient.token,
        json: { jsonrpc: '2.0', method: 'notifications/initialized' },
      });
      await call(service, path, { token: patient.token, json: [json] });
      await call(service, path, {
        token: patient.token,
        body: '{',
        headers: { 'content-type': 'application/json' },
      });
      await send(401, path, { token: 'none', json });
      await send(415, path, { token: patient.token, body: 'x', headers: { 'content-type': 'text/plain' } });
      await send(413, path, { token: patient.token, json: { ...json, params: 'x'.repeat(5_000_000) } });
      await send(405, path, { token: patient.token });
    }
  });

  it('register, authorize, exchange, refresh and revoke', async () => {
    const flow = await newFlow(service, { grant_types: ['authorization_code', 'refresh_token'] });
    await send(400, '/oauth/register', { json: {} });
    await send(400, '/oauth/register', { json: { redirect_uris: ['http://elsewhere.example/'] } });
    await send(413, '/oauth/register', { json: { redirect_uris: ['x'.repeat(70_000)] } });
    const code = await obtainCode(flow, { scope: 'patient/*.read offline_access' });
    const client_id = flow.client.client_id as string;
    const tokens = (await exchangeCode(service, flow, code)).body as {
      refresh_token: string;
      access_token: string;
    };
    await exchangeCode(service, flow, code);
    await refresh(service, client_id, tokens.refresh_token);
    for (const form of [
      {},
      { grant_type: 'password' },
      {
        grant_type: 'authorization_code',
        client_id: NOBODY,
        code,
        code_verifier: 'x',
        redirect_uri: 'https://a.example',
      },
    ])
      await postForm(service, '/oauth/token', form);
    await send(413, '/oauth/token', {
      body: `grant_type=${'x'.repeat(1_100_000)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    await postForm(service, '/oauth/revoke', { token: tokens.access_token, client_id });
    await postForm(service, '/oauth/revoke', {});
    await postForm(service, '/oauth/revoke', { token: 'x', client_id: NOBODY });

    const { browser } = flow;
    const app = { projectId: flow.patient.projectId, clientId: client_id };
    assert.equal((await browser.post('/account/consents/disconnect', app)).status, 204);
    const begun = await browser.get(
      buildAuthorizePath({ clientId: client_id, challenge: createPkce().challenge }),
    );
    const requestId = getRequestId(begun);
    await browser.get(`/oauth/interaction/${requestId}`);
    await browser.get(`/oauth/complete/${requestId}`);
    await createTestBrowser(service).get(`/oauth/interaction/${requestId}`);
    await browser.get(`/oauth/interaction/${'A'.repeat(32)}`);
    await decideRequest(browser, requestId, 'grant', { screens: [] });
    const { email } = flow.patient;
    await sendDrafts({ browser, email }, `/oauth/interaction/${requestId}`);
    await sendDrafts({ browser: createTestBrowser(service), email }, `/oauth/interaction/${requestId}`);
    await sendDrafts({ browser, email }, `/oauth/interaction/${'A'.repeat(32)}`);
    await decideRequest(browser, requestId, 'deny');
    await sendDrafts({ browser, email }, `/oauth/interaction/${requestId}`);
    await decideRequest(browser, requestId, 'deny');
    await waitUntilReady(browser, requestId);
    await browser.get(`/oauth/complete/${requestId}`);
    await browser.get('/oauth/authorize', { accept: 'text/html' });
    for (let sent = 0; sent < 40; sent++) await browser.get('/oauth/authorize');
    await registerClient(service).catch(() => undefined);
  });

  it('give an account another address, and take it back', async () => {
    const browser = createTestBrowser(service);
    const { email: former, password } = await newAccount(service, browser);
    const { email } = newPerson();
    await browser.post('/account/email', { email, currentPassword: 'wrong' });
    await browser.post('/account/email', { email, currentPassword: password });
    for (const address of [email, former]) {
      const mail = (await listMailsTo(service, address)).at(-1);
      const token = extractLinkToken(mail ?? assert.fail('no mail'), 'email');
      await createTestBrowser(service).post('/account/email/confirm', { token });
      await browser.post('/account/email/link', { token });
      await browser.post('/account/email/confirm', { token });
      await browser.post('/account/email/confirm', { token });
    }
    const { email: other } = newPerson();
    const person = await newAccount(service, browser);
    await browser.post('/account/email', { email: other, currentPassword: person.password });
    const token = extractLinkToken(await waitForMail(service, other), 'email');
    for (let sent = 0; sent < 2; sent++) await browser.post('/account/email/cancel', { token });
  });

  it('sign up, sign in, and use the own page', async () => {
    const browser = createTestBrowser(service);
    await browser.get('/account/session');
    const { email, password } = await newAccount(service, browser);
    for (const path of [
      'consents',
      'receipts',
      'access-log',
      'access-log/proof',
      'uploads',
      'unread-documents',
      'documents',
      'passkeys',
      'sources',
    ])
      assert.equal((await browser.get(`/account/${path}`)).status, 200, path);
    assert.equal((await requestDownload(service, browser)).status, 200);
    assert.equal(
      (await uploadOnPage(service, browser, await createArchive({ 'r.json': RECORD }))).status,
      202,
    );
    const [batch] = await waitForUploads(browser);
    await browser.post('/account/uploads/confirm', { batchId: batch.batchId });
    await browser.post('/account/uploads/confirm', { batchId: NOBODY });
    await browser.post('/account/uploads/read-again', { batchId: batch.batchId });
    await browser.post('/account/uploads/read-again', { batchId: NOBODY });
    await browser.post('/account/uploads/remove', { batchId: batch.batchId });
    await browser.post('/account/uploads/remove', { batchId: NOBODY });
    await browser.post('/account/sources/refresh');
    await createTestBrowser(service).post('/account/sign-in', { email, password });
    const { sessions } = (await browser.get('/account/sessions')).body as {
      sessions: { id: string; isThis: boolean }[];
    };
    await browser.post('/account/sessions/end', { id: sessions.find(({ isThis }) => !isThis)?.id });
    await browser.post('/account/sessions/end', { id: NOBODY });
    await browser.post('/account/sessions/end-others');
    await browser.get('/account/events');
    await browser.post('/account/password/change', {});
    const newPassword = 'another horse, another battery';
    await browser.post('/account/password/change', { currentPassword: password, newPassword });
    await browser.post('/account/password/change', { currentPassword: newPassword, newPassword: password });
    await browser.post('/account/passkeys/options');
    await browser.post('/account/passkeys', {});
    await browser.post('/account/passkeys/remove', { passkeyId: NOBODY });
    await browser.post('/account/consents/withdraw', {});
    await browser.post('/account/consents/narrow', {});
    await browser.post('/account/consents/disconnect', {});
    await browser.post('/account/unread-documents', {});
    await browser.get(`/account/receipts/${NOBODY}`);
    await browser.get(`/account/receipts/${NOBODY}/content`);
    await browser.get(`/account/receipts/${NOBODY}/screenshots/${NOBODY}`);
    await browser.get(`/account/documents/${NOBODY}`);
    await browser.post('/account/sign-out');
    await browser.get('/account/consents');
    await browser.post('/account/sign-in', { email, password: 'wrong' });
    await browser.post('/account/sign-in', { email });
    await browser.post('/account/sign-in', { email, password }, { 'x-csrf-token': undefined });
    await browser.post('/account/sign-in/passkey/options');
    await browser.post('/account/sign-in/passkey', {});
    await browser.post('/account/forgotten-password', { email });
    await browser.post('/account/link', { token: 'none' });
    const token = await requestMailedLink(service, browser, { email: newPerson().email });
    await browser.post('/account/link', { token });
    await browser.post('/account/password', { token, password: 'x' });
    await browser.post('/account/sign-in', { email, password });
    await browser.post('/account/delete', {});
    await browser.post('/account/delete', { password: 'wrong' });
    await browser.post('/account/delete', { password });

    const own = await createSignedInBrowser(service, patient);
    await own.post('/account/language', { language: 'es' });
    await own.get('/account/consents');
    await own.get('/account/receipts');
    assert.equal((await own.post('/account/notices', {})).status, 400);
    const wanted = {
      firstRead: true,
      unusualVolume: true,
      unusedConsent: true,
      heldUpload: true,
      weeklyDigest: false,
    };
    assert.equal((await own.post('/account/notices', wanted)).status, 204);
    assert.deepEqual((await own.get('/account/notices')).body, { settings: wanted });
    assert.equal((await own.get(`/account/receipts/${consentRecordId}`)).status, 200);
    const shown = await own.get(`/account/receipts/${consentRecordId}/content`);
    const [screen] = shown.body.screenshots as { id: string }[];
    await own.get(`/account/receipts/${consentRecordId}/screenshots/${screen?.id ?? NOBODY}`);
    const documents = (await own.get('/account/documents')).body as { results: { documentId: string }[] };
    await own.get(`/account/documents/${documents.results[0]?.documentId ?? NOBODY}`);
    await own.get('/account/access-log');
    const counted = (await own.get('/account/record')).body as {
      categories: { category: string; facts: number }[];
    };
    for (const { category } of counted.categories.filter(({ facts }) => facts > 0)) {
      const listed = await own.get(`/account/record/facts?category=${category}`);
      for (const { id } of (listed.body as { results: { id: string }[] }).results.slice(0, 1))
        await own.get(`/account/record/fact?id=${id}`);
    }
    await own.get('/account/record/facts?category=NOTHING');
    await own.get('/account/record/fact?id=0.0');
    await own.post('/account/record/search', { query: 'asthma' });
    const { projectId } = patient;
    const narrowed = {
      projectId,
      consentDataResourceScopes: ['LABS'],
      consentDataSensitivityScopes: ['NORMAL'],
    };
    assert.equal((await own.post('/account/consents/narrow', narrowed)).status, 200);
    assert.equal((await own.post('/account/consents/narrow', narrowed)).status, 400);
    const unknown = { projectId, clientId: 'https://agent.example/client' };
    assert.equal((await own.post('/account/consents/disconnect', unknown)).status, 404);
    assert.equal((await own.post('/account/consents/withdraw', { projectId })).status, 204);
    await decide(service, patient, 'OPTED_IN');
  });

  it('register webhooks, and look at what they were sent', async () => {
    const api = await createWebhookApi(service);
    const created = await api.createWebhook('https://receiver.example/hook', {
      eventTypes: ['consent.withdrawn', 'webhook.test'],
    });
    const id = created.id as string;
    await api.post('', { url: 'http://receiver.example', eventTypes: [] });
    await api.send('?limit=5');
    await api.send(`/${id}`);
    await api.send(`/${NOBODY}`);
    await api.send(`/${id}`, { method: 'PATCH', json: { description: 'Ours' } });
    await api.send(`/${id}`, { method: 'PATCH', json: {} });
    await api.post(`/${id}/test`);
    const [eventId] = await emitEvents(service, 2, { delayMs: 3_600_000 });
    await api.send(`/${id}/deliveries`);
    await api.send(`/${id}/deliveries?status=pending&limit=1`);
    await api.send(`/${id}/deliveries?status=none`);
    await api.send(`/${id}/stats?from=2026-01-01T00:00:00Z`);
    await api.send(`/${id}/stats?from=never`);
    await api.post('/check-url', { url: 'https://10.0.0.1' });
    await api.send(`/${id}/deliveries/${eventId}`);
    await api.send(`/${id}/deliveries/evt_${'0'.repeat(26)}`);
    await api.post(`/${id}/deliveries/${eventId}/redeliver`);
    await api.post(`/${id}/pause`);
    // A body is read where none is taken too.
    for (const [status, type, body] of [
      [415, 'text/plain', 'x'],
      [400, 'application/json', '{'],
      [413, 'application/json', `"${'x'.repeat(1_100_000)}"`],
    ] as const)
      await send(status, `${organization}/webhooks/${id}/resume`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
    await send(415, `${organization}/webhooks/${id}`, {
      method: 'DELETE',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    await api.post(`/${id}/resume`);
    await api.post(`/${id}/rotate-secret`, { overlapSeconds: 60 });
    await api.post(`/${id}/end-former-secrets`);
    await api.post(`/${id}/rotate-secret`);
    await api.post(`/${id}/end-former-secrets`);
    await api.post(`/${id}/replay`, { since: '2026-01-01T00:00:00Z', dryRun: true });
    await api.post(`/${id}/replay`, {});
    const { body: replay } = await api.post(`/${id}/replay`, { since: '2026-01-01T00:00:00Z' });
    await api.send(`/${id}/replays`);
    await api.post(`/${id}/replays/${replay.replayId}/stop`);
    await send(200, `${organization}/webhook-events?since=2020-01-01T00:00:00Z`);
    await send(400, `${organization}/webhook-events?since=yesterday`);
    await api.send(`/${id}`, { method: 'DELETE' });
  });

  it('connect sources', async () => {
    const all = `${organization}/sources`;
    const json = {
      name: 'Riverside',
      baseUrl: 'https://ehr.invalid/fhir',
      authentication: { type: 'bearer', secret: 'a-secret-of-some-length' },
      matching: { by: 'id' },
      servesTestPatients: true,
    };
    const { id } = (await send(201, all, { json })) as { id: string };
    await send(409, all, { json });
    await send(400, all, { json: { ...json, baseUrl: 'http://ehr.invalid' } });
    await send(200, all);
    await send(200, `${all}/${id}`);
    await send(404, `${all}/${NOBODY}`);
    await send(200, `${all}/${id}`, { method: 'PATCH', json: { name: 'Riverside Clinic' } });
    await send(200, `${all}/${id}/syncs`);
    await send(200, `${all}/${id}/test`, { method: 'POST' });
    await call(service, `${all}/${id}/sync`, { method: 'POST', token: admin, json: {} });
    await call(service, `/v1/sources/${id}/jwks.json`);
    await send(404, `/v1/sources/${NOBODY}/jwks.json`);
    await send(200, `/v1/patients/${patient.id}/sources`, { token: patient.token });
    await send(202, `/v1/patients/${patient.id}/sources/refresh`, { method: 'POST', token: patient.token });
    await send(204, `${all}/${id}`, { method: 'DELETE' });
  });
});

describe('the OpenAPI document', () => {
  it('describes what was asked and answered in each of these calls', () => {
    const checked = exchanges.map((exchange) => ({ exchange, ...checker.check(exchange) }));
    const faults = new Set(checked.flatMap((each) => each.faults));
    assert.deepEqual([...faults], []);
    const known = checked.filter(({ operation }) => operation !== null);
    assert.ok(known.length > 250, `${known.length} calls`);
    const statuses = new Set(known.map(({ exchange }) => exchange.status));
    assert.deepEqual(
      [200, 201, 202, 204, 303, 400, 401, 403, 404, 406, 409, 413, 415, 422, 429].filter(
        (status) => !statuses.has(status),
      ),
      [],
    );
    const succeeded = new Set(
      known.filter(({ exchange }) => exchange.status < 400).map(({ operation }) => operation),
    );
    const names = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    assert.deepEqual(names.filter((name) => !succeeded.has(name)).sort(), WITHOUT_SUCCESS);
  });

  it('would not describe another status, type, body or parameter', () => {
    const good = exchanges.find(
      ({ method, url, status }) =>
        method === 'GET' && url === `/FHIR/R4/Person/${patient.id}` && status === 200,
    );
    assert.ok(good);
    const list = exchanges.find(({ url, status }) => url.endsWith('/webhooks?limit=5') && status === 200);
    assert.ok(list);
    const findFaults = (exchange: Exchange, changes: Partial<Exchange>): string =>
      checker.check({ ...exchange, ...changes }).faults.join();
    assert.equal(findFaults(good, {}) + findFaults(list, {}), '');
    assert.match(findFaults(good, { status: 418 }), /readPerson answers 418, which is not listed/);
    assert.match(
      findFaults(good, { headers: new Headers({ 'content-type': 'text/html' }) }),
      /200 is text\/html/,
    );
    assert.match(findFaults(list, { body: { total: '1', results: [] } }), /total must be integer/);
    assert.match(findFaults(list, { body: { total: 1 } }), /must have required property 'results'/);
    assert.match(findFaults(list, { url: list.url.replace('limit=5', 'limit=many') }), /query limit/);
  });

  it('has examples that its schemas accept, and no others', () => {
    const examples = [...listExamples(document)];
    assert.ok(examples.length >= 5);
    for (const { pointer, example } of examples) {
      assert.deepEqual(checker.validate(pointer, example), [], pointer.join('/'));
      const broken = typeof example === 'object' ? { ...example, type: 7 } : null;
      assert.notDeepEqual(checker.validate(pointer, broken), [], pointer.join('/'));
    }
  });
});

/** Every example of a document with the pointer of its schema; a property that is named "example" is none. */
function* listExamples(
  value: unknown,
  pointer: readonly string[] = [],
): Generator<{ pointer: readonly string[]; example: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  const isSchemaMap = pointer.at(-1) === 'properties';
  const { example, examples, schema } = value as Json;
  if (!isSchemaMap && example !== undefined)
    yield { pointer: schema === undefined ? pointer : [...pointer, 'schema'], example };
  if (!isSchemaMap && Array.isArray(examples)) for (const each of examples) yield { pointer, example: each };
  for (const [name, inner] of Object.entries(value))
    if (isSchemaMap || (name !== 'example' && name !== 'examples'))
      yield* listExamples(inner, [...pointer, name]);
}
