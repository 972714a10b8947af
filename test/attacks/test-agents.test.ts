import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import {
  call,
  decide,
  getOrganizationToken,
  getToolText,
  newOrganization,
  newProject,
  newTestPatient,
  startTestService,
  waitForBatch,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let admin: string;
let patients: string;
let patient: TestPatient;
before(async () => {
  service = await startTestService();
  admin = await getOrganizationToken(service);
  patients = `/v1/organizations/${service.organization.organizationId}/test-patients`;
  patient = await newTestPatient(service, { consent: false });
});
after(() => service.stop());

const post = (path: string, json: object = {}): Promise<HttpResponse> =>
  call(service, `${patients}/${path}`, { token: admin, json });

const grant = (scopes: object = {}, { id, projectId } = patient): Promise<HttpResponse> =>
  post(`${id}/projects/${projectId}/grant`, scopes);

/** Calls a tool at the endpoint of the project, as the agent that holds the token. */
const askAgent = (
  token: string,
  name: string,
  { projectId = patient.projectId, input = {} }: { projectId?: string; input?: object } = {},
): Promise<HttpResponse> =>
  call(service, `/projects/${projectId}/mcp`, {
    token,
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
  });

const CONDITIONS = { input: { years: 100 } };

describe('the agent of a test patient', () => {
  it('reads a generated record by the consent, and no more than a narrower grant names', async () => {
    const generated = await post(`${patient.id}/generate-record`, { years: 2, seed: 7 });
    assert.deepEqual([generated.status, generated.body.seed], [202, 7]);
    const batch = await waitForBatch(service, patient, generated.body.batchId as string);
    assert.equal(batch.status, 'completed');
    assert.ok(batch.resources.created > 50);

    const member = `${patient.id}/projects/${patient.projectId}`;
    const { token } = (await post(`${member}/token`)).body as { token: string };
    assert.equal((await askAgent(token, 'get_conditions')).body.error, 'Data Access is revoked!');
    await decide(service, { ...patient, token }, 'OPTED_IN');
    const wide = getToolText(await askAgent(token, 'get_conditions', CONDITIONS));
    assert.match(wide, /^\| /m);

    const narrow = await grant({ consentDataResourceScopes: ['LABS', 'CLINICAL_VITALS'] });
    assert.equal(narrow.status, 201);
    assert.equal(narrow.body.resource, `${service.baseUrl}/projects/${patient.projectId}/mcp`);
    const withheld = getToolText(await askAgent(narrow.body.token, 'get_conditions', CONDITIONS));
    assert.match(withheld, /not shared/i);
    assert.doesNotMatch(withheld, /^\| /m);
    assert.match(getToolText(await askAgent(narrow.body.token, 'get_vitals', CONDITIONS)), /^\| /m);
  });

  it('gets a record of another name and birth date than the generator would invent', async () => {
    const { body } = await call(service, patients, {
      token: admin,
      json: { firstName: 'Ada', lastName: 'Alder', dateOfBirth: '1980-02-29' },
    });
    const id = body.patient.id as string;
    const refused = await post(`${id}/generate-record`, { years: 60 });
    assert.deepEqual([refused.status, refused.body.errors[0].path], [400, 'years']);
    const { projectId } = service.organization;
    const member = { method: 'PUT', token: admin };
    assert.equal((await call(service, `${patients}/${id}/projects/${projectId}`, member)).status, 204);
    const { token } = (await post(`${id}/projects/${projectId}/token`)).body as { token: string };
    const ada = { ...patient, id, projectId, token };
    const { batchId } = (await post(`${id}/generate-record`, { years: 1 })).body as { batchId: string };
    await waitForBatch(service, ada, batchId);
    await decide(service, ada, 'OPTED_IN');
    const text = getToolText(await askAgent(token, 'get_details', { input: { references: ['Patient'] } }));
    assert.match(text, /Ada Alder/);
    assert.match(text, /1980-02-29/);
  });
});

describe('a way from the endpoints of test patients to somebody else', () => {
  it('case 310: a real person, a test patient of another organization and nobody are 404 at each of them', async () => {
    const { projectId } = service.organization;
    const person = await call(service, `/v1/projects/${projectId}/patients`, {
      token: admin,
      json: {
        patients: [{ email: 'real@example.org', firstName: 'Real', lastName: 'Person' }],
        suppressNotifications: true,
      },
    });
    const real = person.body.successfulPatients[0].referenceId as string;
    const foreigner = await newTestPatient(service, { organization: await newOrganization(service) });
    for (const id of [real, foreigner.id, '00000000-0000-4000-8000-000000000000']) {
      const member = `${id}/projects/${projectId}`;
      const answers = [
        await call(service, `${patients}/${member}`, { method: 'PUT', token: admin }),
        await post(`${member}/token`),
        await post(`${member}/grant`),
        await post(`${id}/generate-record`, { years: 1 }),
      ];
      assert.deepEqual(
        answers.map(({ status, body }) => [status, body.code, body.token]),
        answers.map(() => [404, 'not_found', undefined]),
      );
    }
    const written = await service.store.db.query(sql`
      select action from audit_entry where patient_id = any(${[real, foreigner.id]}::uuid[]) and action like 'test_patient.%ed'
        and action <> 'test_patient.created'
      union all select 'a grant' from oauth_grant where patient_id = any(${[real, foreigner.id]}::uuid[])
      union all select 'an upload' from upload_batch where patient_id = any(${[real, foreigner.id]}::uuid[])`);
    assert.deepEqual(written, []);
  });

  it('case 311: a project that the test patient takes no part in, or of another organization, is refused', async () => {
    const other = await newProject(service);
    const stranger = await newOrganization(service);
    for (const path of ['token', 'grant']) {
      const { status, body } = await post(`${patient.id}/projects/${other}/${path}`);
      assert.deepEqual([status, body.code], [409, 'not_enrolled']);
    }
    const member = `${patients}/${patient.id}/projects/${stranger.projectId}`;
    for (const [method, path] of [
      ['PUT', ''],
      ['POST', '/token'],
      ['POST', '/grant'],
    ] as const) {
      const json = method === 'POST' ? { json: {} } : {};
      const { status } = await call(service, member + path, { method, token: admin, ...json });
      assert.equal(status, 403);
    }
  });

  it('case 312: a grant that names more than the consent covers gets no more, and ends with the consent', async () => {
    await decide(service, patient, 'OPTED_IN', { consentDataResourceScopes: ['LABS'] });
    const { token } = (await grant({ consentDataResourceScopes: ['DIAGNOSES', 'LABS'] })).body;
    const text = getToolText(await askAgent(token, 'get_conditions', CONDITIONS));
    assert.match(text, /not shared/i);
    assert.doesNotMatch(text, /^\| /m);

    await decide(service, patient, 'OPTED_OUT');
    const refused = await askAgent(token, 'get_labs');
    assert.deepEqual([refused.status, refused.body.error], [403, 'Data Access is revoked!']);
    assert.deepEqual((await grant()).body.code, 'no_consent');
    await decide(service, patient, 'OPTED_IN');
    assert.equal((await askAgent(token, 'get_labs')).status, 401, 'a later consent brings none back');
  });

  it('case 313: the token of a grant opens one project, and nothing besides; that of a password ends with it', async () => {
    await decide(service, patient, 'OPTED_IN');
    const { token } = (await grant()).body as { token: string };
    const other = await newProject(service);
    const elsewhere = [
      await askAgent(token, 'get_labs', { projectId: other }),
      await call(service, `/v1/patients/${patient.id}/upload-documents`, { token }),
      await decide(service, { ...patient, token }, 'OPTED_OUT'),
      await call(service, patients, { token }),
    ];
    assert.deepEqual(
      elsewhere.map(({ status }) => status),
      [401, 401, 401, 401],
    );
    const direct = (await post(`${patient.id}/projects/${patient.projectId}/token`)).body.token as string;
    await post(`${patient.id}/password`);
    assert.equal((await askAgent(direct, 'get_labs')).status, 401);
  });
});
