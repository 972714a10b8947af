import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import {
  call,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let admin: string;
let patient: TestPatient;
let organization: string;

before(async () => {
  service = await startTestService();
  admin = await getOrganizationToken(service);
  patient = await newTestPatient(service, { consent: false });
  organization = `/v1/organizations/${service.organization.organizationId}`;
});
after(() => service.stop());

/** Bodies whose members limit nothing, or that partners send with fields of their own. */
const OPEN: readonly string[] = [
  'createAuthToken',
  'createSource',
  'generateTestPatientRecord',
  'setOrganizationMark',
  'syncSource',
  'updateOrganization',
  'updateSource',
  'uploadDocuments',
];

describe('a body whose members limit who or what is concerned', () => {
  it('is each body of /v1, but for those that are named here', () =>
    assert.deepEqual(
      ENDPOINTS.filter(({ path, body, closedBody }) => path.startsWith('/v1/') && body && !closedBody)
        .map(({ name }) => name)
        .toSorted(),
      OPEN,
    ));

  const assertRefused = async (
    path: string,
    { token = admin, method = 'POST', ...rest }: { token?: string; method?: string; json: object },
    unknown: string,
  ): Promise<void> => {
    const { status, body } = await call(service, path, { token, method, ...rest });
    assert.deepEqual([status, body.code], [400, 'invalid_input'], `${path} ${unknown}`);
    assert.ok(
      body.errors.some((error: { path: string }) => error.path === unknown),
      JSON.stringify(body.errors),
    );
    assert.match(JSON.stringify(body.errors), /is not known here; what is: \w|is no member of this body/);
  };

  it('is refused with a member that is not known, and nothing is made of it', async () => {
    const webhook = { url: 'https://partner.example/hook', eventTypes: ['consent.withdrawn'] };
    for (const more of [
      { projectIds: [patient.projectId] },
      { projects: [patient.projectId] },
      { status: 'paused' },
      { active: false },
    ])
      await assertRefused(
        `${organization}/webhooks`,
        { json: { ...webhook, ...more } },
        Object.keys(more)[0] ?? '',
      );
    const { body } = await call(service, `${organization}/webhooks`, { token: admin });
    assert.equal(body.total, 0);
    await assertRefused(
      `${organization}/api-keys`,
      { json: { name: 'Key', role: 'researcher', projects: [patient.projectId] } },
      'projects',
    );
    await assertRefused(
      `${organization}/projects`,
      { json: { name: 'Project', content: { en: { title: 'T', purpose: 'P', hidden: true } } } },
      'content.en.hidden',
    );
  });

  it('is a decision too: what it says of less and sooner is not dropped', async () => {
    const path = `/v1/projects/${patient.projectId}/test-patients/${patient.id}/consent`;
    const token = patient.token;
    for (const more of [
      { resourceScopes: ['LABS'] },
      { scopes: ['LABS'] },
      { consentDataScopes: ['LABS'] },
      { expiresAt: service.clock.now().toISOString() },
    ])
      await assertRefused(
        path,
        { token, json: { consentStatus: 'OPTED_IN', ...more } },
        Object.keys(more)[0] ?? '',
      );
    const { body } = await call(service, `/v1/patients/${patient.id}/consents`, { token });
    assert.deepEqual(body.consents, []);
    assert.equal((await call(service, path, { token, json: { consentStatus: 'OPTED_IN' } })).status, 201);
  });

  it('is a list of patients: a switch that it does not have enrolls and invites nobody', async () => {
    const path = `/v1/projects/${patient.projectId}/patients`;
    const entry = { email: 'dan@person.example', firstName: 'Dan', lastName: 'Lee' };
    for (const more of [
      { dryRun: true },
      { suppressInvitations: true },
      { sendInvitations: false },
      { notify: false },
    ])
      await assertRefused(path, { json: { patients: [entry], ...more } }, Object.keys(more)[0] ?? '');
    const inItem = { patients: [{ ...entry, suppressNotifications: true }] };
    const { body } = await call(service, path, { token: admin, json: inItem });
    assert.deepEqual([body.successCount, body.errors[0].patientIndex], [0, 0]);
    assert.match(body.errors[0].error, /^suppressNotifications: is for the whole list/);
    const corrected = `${path}/${patient.id}`;
    await assertRefused(corrected, { method: 'PATCH', json: { lastName: 'Lee', notify: false } }, 'notify');
    const page = await call(service, `${organization}/patients?q=dan`, { token: admin });
    assert.deepEqual(page.body.results, []);
  });

  it('is not an entry of such a list, which may have fields of the partner; a parameter beside it has to be known', async () => {
    const path = `/v1/projects/${patient.projectId}/patients`;
    const entry = {
      email: 'ann@person.example',
      firstName: 'Ann',
      lastName: 'Lee',
      contactPreference: 'email',
    };
    const json = { patients: [entry], suppressNotifications: true };
    const dryRun = await call(service, `${path}?dry_run=true`, { token: admin, json });
    assert.deepEqual([dryRun.status, dryRun.body.errors[0].path], [400, 'dry_run']);
    const { status, body } = await call(service, path, { token: admin, json });
    assert.deepEqual([status, body.successCount], [200, 1]);
  });

  it('is not one whose misspelt member would be lost: the item is an error, and the others are enrolled', async () => {
    const people = ['Bea', 'Cyd'].map((firstName) => ({
      email: `${firstName}@person.example`,
      firstName,
      lastName: 'Lee',
    }));
    const [first, second] = people;
    const json = { patients: [{ ...first, externalID: 'X1' }, second, { ...first, lastname: 3 }] };
    const { body } = await call(service, `/v1/projects/${patient.projectId}/patients`, {
      token: admin,
      json: { ...json, suppressNotifications: true },
    });
    assert.deepEqual([body.successCount, body.errorCount], [1, 2]);
    assert.deepEqual(body.errors[0], {
      patientIndex: 0,
      email: first?.email,
      error: 'externalID: is no member of this body; "externalId" is',
    });
  });

  it('is that of a test patient, whose birth date would be missed where a source is matched by it', async () => {
    const json = { firstName: 'Ana', birthDate: '1970-02-03' };
    await assertRefused(`${organization}/test-patients`, { json }, 'birthDate');
  });
});
