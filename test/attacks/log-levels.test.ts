import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newFlow, obtainTokens, refresh, type Flow } from '../harness/authorization.ts';
import { createArchive } from '../harness/archive.ts';
import {
  call,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { UNLIMITED } from './attack.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

let logged = '';
let service: TestService;
let patient: TestPatient;
let flow: Flow;
before(async () => {
  service = await startTestService({
    environment: { ...UNLIMITED, CHARTGATE_LOG_LEVEL: 'trace' },
    logStream: { write: (line) => void (logged += line) },
  });
  patient = await newTestPatient(service);
  flow = await newFlow(service, { client_name: 'Agent Ragnarok' });
});
after(() => service.stop());

/** Calls an endpoint of each family with credentials where they belong and where they do not; returns all secrets that it used. */
async function callEveryFamily(): Promise<Record<string, string>> {
  const { organizationId, projectId, admin } = service.organization;
  const organizationToken = await getOrganizationToken(service);
  const { access_token: access, refresh_token: renewal } = await obtainTokens(service, flow);
  const upload = { 'a.json': JSON.stringify({ resourceType: 'Patient', id: 'p' }) };
  const createForm = async (): Promise<FormData> => {
    const form = new FormData();
    form.append('file', new Blob([await createArchive(upload)]), 'Ragnarok.zip');
    return form;
  };
  await call(service, `/v1/patients/${patient.id}/upload-documents`, {
    token: patient.token,
    body: await createForm(),
  });
  await flow.browser.post('/account/sign-in', { email: patient.email, password: patient.password });
  const csrf = await flow.browser.csrfToken();
  const cookie = [...flow.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  await call(service, '/account/uploads', {
    headers: { cookie, 'x-csrf-token': csrf },
    body: await createForm(),
  });
  await call(service, '/mcp', {
    token: access as string,
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  });
  await call(service, `/FHIR/R4/Person/${patient.id}/$everything?access_token=${access as string}`, {
    token: organizationToken,
  });
  await refresh(service, flow.client.client_id as string, renewal as string);
  await call(service, `/v1/organizations/${organizationId}/projects?token=${organizationToken}`, {
    token: organizationToken,
  });
  const webhook = await call(service, `/v1/organizations/${organizationId}/webhooks`, {
    token: organizationToken,
    json: {
      url: 'https://hooks.example/a',
      description: 'Ragnarok',
      eventTypes: ['consent.withdrawn'],
      projectScope: { type: 'all' },
    },
  });
  const bearer = 'bearer-secret-of-a-hospital-0123456789';
  await call(service, `/v1/organizations/${organizationId}/sources`, {
    token: organizationToken,
    json: {
      name: 'Ragnarok',
      baseUrl: 'https://ehr.example/fhir',
      authentication: { type: 'bearer', secret: bearer, token: bearer },
    },
  });
  await call(service, '/v1/auth/token', {
    json: { email: patient.email, password: `${patient.password}!`, projectId },
  });
  service.app.log.error(
    { request: { headers: { authorization: `Bearer ${access as string}` } } },
    'a careless line',
  );
  return {
    'organization token': organizationToken,
    'access token': access as string,
    'refresh token': renewal as string,
    'patient token': patient.token,
    'API secret': admin.apiSecret,
    password: patient.password,
    'e-mail': patient.email,
    'patient id': patient.id,
    'webhook secret': String(webhook.body.secret),
    'bearer secret': bearer,
    'csrf token': csrf,
    ...Object.fromEntries([...flow.browser.cookies].map(([name, value]) => [`cookie ${name}`, value])),
    name: 'Ragnarok',
  };
}

describe('the log of every family of endpoints', () => {
  for (const level of LEVELS)
    it(`case 173: holds no secret and no person at the level ${level}`, async () => {
      logged = '';
      service.app.log.level = level;
      const secrets = await callEveryFamily();
      await service.worker.drain();
      assert.ok(Object.values(secrets).every((secret) => secret.length > 7));
      const text = logged.toLowerCase();
      const found = Object.entries(secrets).filter(([, secret]) =>
        [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')].some((form) =>
          text.includes(form.toLowerCase()),
        ),
      );
      assert.deepEqual(
        found.map(([name]) => name),
        [],
      );
      assert.ok(text.includes('a careless line'));
      if (level === 'trace') assert.ok(text.includes('busboy'), 'the parser of forms logged its options');
    });
});
