import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { JSONWebKeySet } from 'jose';
import { sql } from '../../server/platform/db/sql.ts';
import {
  buildBundle,
  startFakeFhirServer,
  sendOutcome,
  send,
  type FakeFhirServer,
} from '../harness/fake-fhir-server.ts';
import {
  getRedirectParameters,
  buildAuthorizePath,
  callMcp,
  exchangeCode,
  decideRequest,
  newFlow,
  getRequestId,
  waitUntilReady,
} from '../harness/authorization.ts';
import {
  call,
  callTool,
  decide,
  newProject,
  getOrganizationToken,
  startTestService,
  getToolText,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { startMuteServer } from '../harness/tls/server.ts';

let ehr: FakeFhirServer;
let service: TestService;
let admin: string;

before(async () => {
  ehr = await startFakeFhirServer();
  service = await startTestService({
    outbound: ehr.outboundClient,
    environment: {
      CHARTGATE_SOURCES_ALLOW_PRIVATE: '1',
      CHARTGATE_SECRETS_KEY: randomBytes(32).toString('base64'),
    },
    sourceLimits: { firstRequestMs: 60_000 },
  });
  admin = await getOrganizationToken(service);
});
after(async () => {
  await service.stop();
  await ehr.stop();
});

const initial = { ...(await readDefaultOptions()) };
async function readDefaultOptions(): Promise<FakeFhirServer['options']> {
  const server = await startFakeFhirServer();
  await server.stop();
  return server.options;
}

const connected: string[] = [];

beforeEach(async () => {
  for (const id of connected.splice(0))
    await call(service, getSourcePath(id), { method: 'DELETE', token: admin });
  Object.assign(ehr, { resources: [], requests: [], options: { ...initial }, intercept: () => false });
});

const getSourcesPath = (): string => `/v1/organizations/${service.organization.organizationId}/sources`;
const getSourcePath = (id: string): string => `${getSourcesPath()}/${id}`;

let names = 0;

async function createSource(more: object = {}): Promise<HttpResponse['body']> {
  const json = {
    name: `Hospital ${++names}`,
    baseUrl: ehr.base,
    matching: { by: 'identifier', system: 'urn:mrn' },
    servesTestPatients: true,
    ...more,
  };
  const { status, body } = await call(service, getSourcesPath(), { token: admin, json });
  assert.equal(status, 201, JSON.stringify(body));
  connected.push(body.id as string);
  return body;
}

let people = 0;

/** A person whom the organization enrolls by an id of its own, as a test patient who has not decided yet. */
async function createPerson(): Promise<TestPatient & { mrn: string }> {
  const mrn = `mrn-${++people}`;
  const created = await call(
    service,
    `/v1/organizations/${service.organization.organizationId}/test-patients`,
    {
      token: admin,
      json: { firstName: 'José', lastName: 'O’Hara', dateOfBirth: '1970-02-03' },
    },
  );
  const { patient, password } = created.body;
  const { projectId } = service.organization;
  const item = { email: patient.email, firstName: 'José', lastName: 'O’Hara', externalId: mrn };
  await call(service, `/v1/projects/${projectId}/patients`, {
    token: admin,
    json: { patients: [item], suppressNotifications: true },
  });
  const login = { email: patient.email, password, projectId };
  const { token } = (await call(service, '/v1/auth/token', { json: login })).body;
  return { id: patient.id, email: patient.email, password, projectId, token, mrn };
}

const buildPatient = (id: string, mrn: string, more: object = {}): string =>
  JSON.stringify({
    resourceType: 'Patient',
    id,
    identifier: [{ system: 'urn:mrn', value: mrn }],
    name: [{ family: "O'Hara", given: ['Jose', 'M'] }],
    birthDate: '1970-02-03',
    ...more,
  });

const observation = (id: string, patient: string, more: object = {}): string =>
  JSON.stringify({
    resourceType: 'Observation',
    id,
    status: 'final',
    category: [
      {
        coding: [
          { system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' },
        ],
      },
    ],
    code: { text: 'Potassium' },
    subject: { reference: `Patient/${patient}` },
    effectiveDateTime: '2026-02-03',
    valueQuantity: { value: 4, unit: 'mmol/L' },
    ...more,
  }).replace('"value":4', '"value":4.10');

async function getSync(source: { id: string }, patient: { id: string }): Promise<HttpResponse['body']> {
  const { body } = await call(service, `${getSourcePath(source.id)}/syncs?patientId=${patient.id}`, {
    token: admin,
  });
  return body.results[0];
}

/** Waits until it waits for nothing but another try, or has ended. */
async function waitForSync(source: { id: string }, patient: { id: string }): Promise<HttpResponse['body']> {
  for (;;) {
    const sync = await getSync(source, patient);
    if (sync && sync.state !== 'running' && (sync.state !== 'waiting' || sync.failures > 0)) return sync;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

async function synchronize(source: { id: string }, patient: { id: string }): Promise<HttpResponse['body']> {
  const json = { patientId: patient.id };
  assert.equal((await call(service, `${getSourcePath(source.id)}/sync`, { token: admin, json })).status, 202);
  return waitForSync(source, patient);
}

const getState = ({ state, code }: { state: string; code: string | null }): [string, string | null] => [
  state,
  code,
];

const listStored = async (patient: { id: string }): Promise<string[]> =>
  (
    await service.store.db.query(
      sql<{ name: string }>`
        select resource_type || ' ' || source_id as name from resource where patient_id = ${patient.id} order by 1`,
    )
  ).map(({ name }) => name);

const readBodies = async (patient: { id: string }): Promise<string> =>
  (
    await service.store.db.query(
      sql<{ body: string }>`select body from resource where patient_id = ${patient.id}`,
    )
  )
    .map(({ body }) => body)
    .join('\n');

describe('a record is fetched from a connected source', () => {
  it('as soon as the patient consents, page by page, with the digits it was written with', async () => {
    const source = await createSource();
    const patient = await createPerson();
    ehr.options.pageSize = 3;
    ehr.resources = [
      buildPatient('p1', patient.mrn),
      buildPatient('other', 'somebody'),
      ...Array.from({ length: 7 }, (_, n) => observation(`o${n}`, 'p1')),
      observation('theirs', 'other'),
    ];
    await decide(service, patient, 'OPTED_IN');
    const sync = await waitForSync(source, patient);
    assert.deepEqual(getState(sync), ['up_to_date', null]);
    assert.deepEqual([sync.pages, sync.resources], [3, 8]);
    assert.equal((await listStored(patient)).length, 8);
    assert.match(await readBodies(patient), /4\.10/);
    assert.doesNotMatch((await listStored(patient)).join(), /theirs/);
    const text = getToolText(await callTool(service, patient, 'get_labs', { years: 5 }));
    assert.match(text, /Potassium/);
  });

  it('not before the patient consents, and not after they took it back', async () => {
    const source = await createSource();
    const patient = await createPerson();
    ehr.resources = [buildPatient('p1', patient.mrn)];
    const json = { patientId: patient.id };
    assert.equal(
      (await call(service, `${getSourcePath(source.id)}/sync`, { token: admin, json })).status,
      403,
    );
    assert.deepEqual(ehr.requests, []);
    await decide(service, patient, 'OPTED_IN');
    await waitForSync(source, patient);
    await decide(service, patient, 'OPTED_OUT');
    ehr.requests = [];
    assert.equal(
      (await call(service, `${getSourcePath(source.id)}/sync`, { token: admin, json })).status,
      403,
    );
    assert.deepEqual(
      (await call(service, `/v1/patients/${patient.id}/sources`, { token: patient.token })).body.results.map(
        getState,
      ),
      [['paused', 'no_consent']],
    );
    assert.deepEqual(ehr.requests, []);
  });

  it('and nothing of it is stored when the consent is taken back while the server answers', async () => {
    const source = await createSource();
    const patient = await createPerson();
    ehr.resources = [buildPatient('p1', patient.mrn), observation('o', 'p1')];
    ehr.intercept = ({ path }, response) => {
      if (!path.endsWith('$everything')) return false;
      void decide(service, patient, 'OPTED_OUT').then(() => send(response, buildBundle(ehr.resources)));
      return true;
    };
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(getState(await waitForSync(source, patient)), ['paused', 'no_consent']);
    assert.deepEqual(await listStored(patient), []);
    const uploads = `/v1/patients/${patient.id}/upload-documents`;
    assert.deepEqual((await call(service, uploads, { token: patient.token })).body.results, []);
  });

  it('type by type where there is no $everything, with what the record refers to', async () => {
    const source = await createSource();
    const patient = await createPerson();
    Object.assign(ehr.options, { everything: false, pageSize: 2 });
    ehr.resources = [
      buildPatient('p1', patient.mrn),
      ...Array.from({ length: 5 }, (_, n) =>
        observation(`o${n}`, 'p1', { performer: [{ reference: 'PractitionerRole/r' }] }),
      ),
      JSON.stringify({
        resourceType: 'MedicationRequest',
        id: 'm',
        status: 'active',
        intent: 'order',
        subject: { reference: 'Patient/p1' },
        medicationReference: { reference: 'Medication/drug' },
      }),
      JSON.stringify({ resourceType: 'Medication', id: 'drug', code: { text: 'Metformin' } }),
      JSON.stringify({
        resourceType: 'PractitionerRole',
        id: 'r',
        practitioner: { reference: 'Practitioner/doc' },
      }),
      JSON.stringify({ resourceType: 'Practitioner', id: 'doc', name: [{ family: 'Birch' }] }),
    ];
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(getState(await waitForSync(source, patient)), ['up_to_date', null]);
    assert.deepEqual(await listStored(patient), [
      'Medication drug',
      'MedicationRequest m',
      ...[0, 1, 2, 3, 4].map((n) => `Observation o${n}`),
      'Patient p1',
      'Practitioner doc',
      'PractitionerRole r',
    ]);
    assert.match(getToolText(await callTool(service, patient, 'get_medications')), /Metformin/);
  });

  it('without the types that the server refuses, which is reported', async () => {
    const source = await createSource();
    const patient = await createPerson();
    ehr.options.everything = false;
    ehr.resources = [
      buildPatient('p1', patient.mrn),
      observation('o', 'p1'),
      JSON.stringify({
        resourceType: 'Condition',
        id: 'c',
        subject: { reference: 'Patient/p1' },
        code: { text: 'Asthma' },
      }),
    ];
    ehr.intercept = ({ path }, response) => path === '/Condition' && (sendOutcome(response, 403), true);
    await decide(service, patient, 'OPTED_IN');
    const sync = await waitForSync(source, patient);
    assert.deepEqual(getState(sync), ['up_to_date', 'partial']);
    assert.deepEqual(sync.skippedTypes, ['Condition']);
    assert.deepEqual(await listStored(patient), ['Observation o', 'Patient p1']);
  });

  it('as far as the server gives it, which is reported where it knows of more', async () => {
    const source = await createSource();
    const patient = await createPerson();
    ehr.options.everything = false;
    ehr.resources = [buildPatient('p1', patient.mrn), observation('o', 'p1')];
    ehr.intercept = ({ path }, response) => {
      if (path !== '/Observation') return false;
      send(response, buildBundle([observation('o', 'p1')]).replace('{', '{"total":7,'));
      return true;
    };
    await decide(service, patient, 'OPTED_IN');
    const sync = await waitForSync(source, patient);
    assert.deepEqual([...getState(sync), sync.skippedTypes], ['up_to_date', 'partial', ['Observation']]);
    assert.deepEqual(await listStored(patient), ['Observation o', 'Patient p1']);
    ehr.requests = [];
    await synchronize(source, patient);
    assert.ok(
      ehr.requests.some((asked) => asked.startsWith('GET /Observation?patient=Patient/p1&_count=200')),
    );
    assert.ok(!ehr.requests.some((asked) => asked.includes('_lastUpdated')), 'all is asked for again');
  });

  it('again, only what is new; nothing new makes no batch', async () => {
    const source = await createSource();
    const patient = await createPerson();
    ehr.resources = [
      buildPatient('p1', patient.mrn, { meta: { lastUpdated: '2026-01-01T00:00:00Z' } }),
      observation('o1', 'p1', { meta: { lastUpdated: '2026-01-01T00:00:00Z' } }),
    ];
    await decide(service, patient, 'OPTED_IN');
    const first = await waitForSync(source, patient);
    ehr.requests = [];
    const again = await synchronize(source, patient);
    assert.match(ehr.requests.join('\n'), /\$everything\?_count=200&_since=20\d\d-/);
    assert.equal(again.batchId, first.batchId, 'nothing new');
    assert.deepEqual(getState(again), ['up_to_date', null]);
    ehr.resources.push(observation('o2', 'p1', { meta: { lastUpdated: '2099-01-01T00:00:00Z' } }));
    const last = await synchronize(source, patient);
    assert.notEqual(last.batchId, first.batchId);
    assert.equal(last.resources, 1);
    assert.deepEqual(await listStored(patient), ['Observation o1', 'Observation o2', 'Patient p1']);
    assert.ok(!ehr.requests.some((asked) => asked.includes('identifier=')), 'matched once');
  });

  it('when the patient asks for it, by token and on their page', async () => {
    const source = await createSource();
    const patient = await createPerson();
    ehr.resources = [buildPatient('p1', patient.mrn), observation('o', 'p1')];
    await decide(service, patient, 'OPTED_IN');
    await waitForSync(source, patient);
    ehr.requests = [];
    const url = `/v1/patients/${patient.id}/sources`;
    const refreshed = await call(service, `${url}/refresh`, { method: 'POST', token: patient.token });
    assert.deepEqual([refreshed.status, refreshed.body], [202, { sources: 1 }]);
    await waitForSync(source, patient);
    assert.ok(ehr.requests.length > 0);
    const [listed] = (await call(service, url, { token: patient.token })).body.results;
    assert.deepEqual(
      [listed.sourceId, listed.name, ...getState(listed)],
      [source.id, source.name, 'up_to_date', null],
    );
    assert.ok(Date.parse(listed.lastSynchronizedAt as string) > 0);
    assert.equal(listed.nextAttemptAt, null);
    const text = getToolText(await callTool(service, patient, 'update_and_check_recent_records'));
    assert.match(text, new RegExp(`\\| ${source.name as string} \\| up to date \\| 20\\d\\d-`));
  });

  it('for everybody who consents, at the organization’s call; a resumed source catches up by itself', async () => {
    const [one1, two] = [await createPerson(), await createPerson()];
    ehr.resources = [buildPatient('p1', one1.mrn), buildPatient('p2', two.mrn)];
    for (const each of [one1, two]) await decide(service, each, 'OPTED_IN');
    const source = await createSource();
    const called = await call(service, `${getSourcePath(source.id)}/sync`, { method: 'POST', token: admin });
    assert.equal(called.status, 202);
    assert.ok(called.body.patients >= 2);
    for (const each of [one1, two]) assert.equal((await waitForSync(source, each)).state, 'up_to_date');
    const listed = await call(service, getSourcesPath(), { token: admin });
    const { patients } = (listed.body.results as { id: string; patients: Record<string, number> }[]).find(
      ({ id }) => id === source.id,
    ) as { patients: Record<string, number> };
    assert.equal(patients['up_to_date'], 2);
    assert.equal(
      Object.values(patients).reduce((sum, count) => sum + count),
      called.body.patients,
    );
    const single = await call(service, getSourcePath(source.id), { token: admin });
    assert.deepEqual(single.body.patients, patients);
    await call(service, getSourcePath(source.id), {
      method: 'PATCH',
      token: admin,
      json: { status: 'paused' },
    });
    const refused = await call(service, `${getSourcePath(source.id)}/sync`, { method: 'POST', token: admin });
    assert.deepEqual([refused.status, refused.body.code], [409, 'source_paused']);
    const text = getToolText(await callTool(service, one1, 'update_and_check_recent_records'));
    assert.match(text, /\| paused \|/);
    ehr.resources.push(observation('o', 'p1', { meta: { lastUpdated: '2099-01-01T00:00:00Z' } }));
    await call(service, getSourcePath(source.id), {
      method: 'PATCH',
      token: admin,
      json: { status: 'active' },
    });
    while ((await listStored(one1)).length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it('while the consent page waits for it, and shows how far it is', async () => {
    const flow = await newFlow(service);
    const { patient } = flow;
    const source = await createSource({ matching: { by: 'demographics' } });
    const gate = Promise.withResolvers<void>();
    const { rows } = await readIdentity(patient.id);
    ehr.resources = [
      JSON.stringify({
        resourceType: 'Patient',
        id: 'p1',
        name: [{ family: rows.last_name, given: [rows.first_name] }],
        birthDate: '1980-01-01',
      }),
      observation('o', 'p1'),
    ];
    let open = false;
    void gate.promise.then(() => (open = true));
    ehr.intercept = ({ path }, response) => {
      if (open || !path.endsWith('$everything')) return false;
      void gate.promise.then(() => sendOutcome(response, 503));
      return true;
    };
    const requestId = getRequestId(
      await flow.browser.get(
        buildAuthorizePath({ clientId: flow.client.client_id as string, challenge: flow.pkce.challenge }),
      ),
    );
    assert.deepEqual((await decideRequest(flow.browser, requestId, 'grant')).body, { status: 'processing' });
    const readProgress = async (): Promise<unknown> =>
      (await flow.browser.get(`/oauth/interaction/${requestId}`)).body.progress;
    while (!JSON.stringify(await readProgress()).includes('running'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    while (!ehr.requests.some((asked) => asked.includes('$everything')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await readProgress(), [{ source: source.name, state: 'running' }]);
    gate.resolve();
    while ((await getSync(source, patient)).failures === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    service.clock.advance(10_000);
    await waitUntilReady(flow.browser, requestId);
    assert.deepEqual(await readProgress(), [{ source: source.name, state: 'done' }]);
    assert.deepEqual(await listStored(patient), ['Observation o', 'Patient p1']);
    assert.ok(getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`))['code']);
    const mine = await flow.browser.get('/account/sources');
    assert.deepEqual(mine.body.results.map(getState), [['up_to_date', null]]);
    assert.deepEqual((await flow.browser.post('/account/sources/refresh')).body, { sources: 1 });
    await waitForSync(source, patient);
  });

  it('without holding the patient where a server does not answer: named after the retry, fetched when it does', async () => {
    const buildBase = ({ port }: { port: number }): string => `https://ehr.agent.example:${port}/fhir`;
    const mute = await startMuteServer();
    ehr.findPatience = (url) => (url.startsWith(buildBase(mute)) ? 1500 : null);
    const refusing = await startMuteServer();
    await refusing.stop();
    const flow = await newFlow(service);
    const { patient } = flow;
    const { rows } = await readIdentity(patient.id);
    const matching = { by: 'demographics' };
    const busy = await createSource({ matching, name: 'Busy' });
    const others = [
      await createSource({ matching, name: 'Closed', baseUrl: buildBase(refusing) }),
      await createSource({ matching, name: 'Mute', baseUrl: buildBase(mute) }),
    ];
    const sources = [busy, ...others];
    ehr.intercept = (_, response) => {
      sendOutcome(response, 503);
      return true;
    };
    const requestId = getRequestId(
      await flow.browser.get(
        buildAuthorizePath({ clientId: flow.client.client_id as string, challenge: flow.pkce.challenge }),
      ),
    );
    await decideRequest(flow.browser, requestId, 'grant');
    const waitForFailures = async (count: number): Promise<void> => {
      for (const source of sources)
        while ((await getSync(source, patient))?.failures !== count)
          await new Promise((resolve) => setTimeout(resolve, 30));
    };
    await waitForFailures(1);
    // Five seconds after the first failure, in the list of the source and for the patient.
    const { nextAttemptAt } = await getSync(busy, patient);
    const listed = await call(service, `/v1/patients/${patient.id}/sources`, { token: patient.token });
    assert.deepEqual(
      listed.body.results.map((each: { nextAttemptAt: string | null }) => each.nextAttemptAt !== null),
      [true, true, true],
    );
    const wait = Date.parse(nextAttemptAt as string) - service.clock.now().getTime();
    assert.ok(wait > 0 && wait <= 5000, String(wait));
    assert.equal((await flow.browser.get(`/oauth/interaction/${requestId}`)).body.status, 'processing');
    service.clock.advance(6000);
    await waitUntilReady(flow.browser, requestId);
    assert.deepEqual(
      (await flow.browser.get(`/oauth/interaction/${requestId}`)).body.progress,
      sources.map(({ name }) => ({ source: name, state: 'later' })),
    );
    const { code } = getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`));
    const tokens = await exchangeCode(service, flow, code as string);
    const summary = await callMcp(service, tokens.body.access_token as string, 'tools/call');
    assert.match(
      summary.body.result.content[0].text as string,
      /Busy, Closed, Mute do not answer now and are tried again; this may be incomplete/,
    );
    const states = await flow.browser.get('/account/sources');
    assert.deepEqual(states.body.results.map(getState), [
      ['waiting', 'unavailable'],
      ['waiting', 'unreachable'],
      ['waiting', 'timeout'],
    ]);

    ehr.intercept = () => false;
    ehr.resources = [
      JSON.stringify({
        resourceType: 'Patient',
        id: 'p1',
        name: [{ family: rows.last_name, given: [rows.first_name] }],
        birthDate: '1980-01-01',
      }),
      observation('o', 'p1'),
    ];
    service.clock.advance(31_000);
    while ((await getSync(busy, patient)).state !== 'up_to_date')
      await new Promise((resolve) => setTimeout(resolve, 30));
    assert.deepEqual(await listStored(patient), ['Observation o', 'Patient p1']);
    await mute.stop();
  });

  async function readIdentity(
    patientId: string,
  ): Promise<{ rows: { first_name: string; last_name: string } }> {
    await service.store.db.query(
      sql`update patient set date_of_birth = '1980-01-01' where patient_id = ${patientId}`,
    );
    const [rows] = await service.store.db.query(
      sql<{
        first_name: string;
        last_name: string;
      }>`select first_name, last_name from patient where patient_id = ${patientId}`,
    );
    return { rows: rows as { first_name: string; last_name: string } };
  }

  it('only for the projects that it is for', async () => {
    const other = await newProject(service, 'Another study');
    const source = await createSource({ projectIds: [other] });
    const patient = await createPerson();
    await decide(service, patient, 'OPTED_IN');
    const json = { patientId: patient.id };
    assert.equal(
      (await call(service, `${getSourcePath(source.id)}/sync`, { token: admin, json })).status,
      403,
    );
    assert.deepEqual(ehr.requests, []);
  });
});

describe('a patient is matched', () => {
  async function synchronizeMatching(
    matching: object,
    resources: (mrn: string) => string[],
    ways: object = {},
  ) {
    const source = await createSource({ matching });
    const patient = await createPerson();
    Object.assign(ehr.options, ways);
    ehr.resources = resources(patient.mrn);
    await decide(service, patient, 'OPTED_IN');
    const sync = await waitForSync(source, patient);
    return { state: getState(sync), stored: await listStored(patient), patient };
  }
  const byIdentifier = { by: 'identifier', system: 'urn:mrn' };
  const byDemographics = { by: 'demographics' };

  it('by no identifier that somebody else has, or of another system', async () => {
    const { state, stored } = await synchronizeMatching(byIdentifier, (mrn) => [
      buildPatient('p1', mrn, { identifier: [{ system: 'urn:other', value: mrn }] }),
      buildPatient('p2', `${mrn}0`),
    ]);
    assert.deepEqual([state, stored], [['no_match', 'nobody_found'], []]);
    assert.ok(!ehr.requests.some((asked) => asked.includes('everything')));
  });

  it('to nobody when two have the identifier', async () => {
    const buildTwo = (mrn: string): string[] => [buildPatient('p1', mrn), buildPatient('p2', mrn)];
    const { state, stored } = await synchronizeMatching(byIdentifier, buildTwo);
    assert.deepEqual([state, stored], [['ambiguous_match', 'several_found'], []]);
  });

  it('not to one who was merged into another', async () => {
    const { state, stored } = await synchronizeMatching(byIdentifier, (mrn) => [
      buildPatient('old', mrn, { link: [{ other: { reference: 'Patient/p1' }, type: 'replaced-by' }] }),
      buildPatient('p1', mrn),
    ]);
    assert.deepEqual([state, stored], [['up_to_date', null], ['Patient p1']]);
  });

  for (const match of [false, true])
    it(`by name and birth date, ${match ? 'with $match' : 'by search'}, whatever accents and apostrophes`, async () => {
      const buildResources = (): string[] => [
        buildPatient('p1', 'x', { name: [{ family: 'O’Hara', given: ['José'] }] }),
        buildPatient('p2', 'y', { name: [{ family: 'O’Hara', given: ['José'] }], birthDate: '1970-03-02' }),
      ];
      const { state, stored } = await synchronizeMatching(byDemographics, buildResources, { match });
      assert.deepEqual([state, stored], [['up_to_date', null], ['Patient p1']]);
      assert.equal(
        ehr.requests.some((asked) => asked.startsWith('POST /Patient/$match')),
        match,
      );
    });

  it('by the birth date that the organization has written, whatever another one wrote first', async () => {
    const source = await createSource({ matching: byDemographics });
    const patient = await createPerson();
    await service.store.db.query(
      sql`update patient set date_of_birth = '1999-09-09' where patient_id = ${patient.id}`,
    );
    ehr.resources = [buildPatient('p1', 'x', { name: [{ family: 'O’Hara', given: ['José'] }] })];
    await decide(service, patient, 'OPTED_IN');
    assert.notEqual((await waitForSync(source, patient)).state, 'up_to_date');
    await service.store.db.query(
      sql`update enrollment set date_of_birth = '1970-02-03' where patient_id = ${patient.id}`,
    );
    await call(service, `${getSourcePath(source.id)}/sync`, {
      token: admin,
      json: { patientId: patient.id },
    });
    while ((await getSync(source, patient)).state !== 'up_to_date')
      await new Promise((resolve) => setTimeout(resolve, 30));
    assert.deepEqual(await listStored(patient), ['Patient p1']);
  });

  it('to nobody when two have the name and the birth date, unless one has the address', async () => {
    const name = [{ family: 'O’Hara', given: ['José'] }];
    const two = await synchronizeMatching(byDemographics, () => [
      buildPatient('p1', 'x', { name }),
      buildPatient('p2', 'y', { name }),
    ]);
    assert.deepEqual([two.state, two.stored], [['ambiguous_match', 'several_found'], []]);
    await service.store.db.query(
      sql`update patient set email = 'jose@mail.example' where patient_id = ${two.patient.id}`,
    );
    ehr.resources = [
      buildPatient('p1', 'x', { name }),
      buildPatient('p2', 'y', { name, telecom: [{ system: 'email', value: 'Jose@Mail.example' }] }),
    ];
    const source = { id: connected.at(-1) as string };
    assert.deepEqual(getState(await synchronize(source, two.patient)), ['up_to_date', null]);
    assert.deepEqual(await listStored(two.patient), ['Patient p2']);
  });

  it('by demographics when the identifier is not known there', async () => {
    const both = { by: 'identifier_then_demographics', system: 'urn:mrn' };
    const buildResources = (): string[] => [
      buildPatient('p1', 'else', { name: [{ family: 'O’Hara', given: ['José'] }] }),
    ];
    const { state, stored } = await synchronizeMatching(both, buildResources);
    assert.deepEqual([state, stored], [['up_to_date', null], ['Patient p1']]);
  });

  it('by the server’s own id', async () => {
    const { state, stored, patient } = await synchronizeMatching({ by: 'id' }, (mrn) => [
      buildPatient(mrn, 'x'),
    ]);
    assert.deepEqual([state, stored], [['up_to_date', null], [`Patient ${patient.mrn}`]]);
  });

  it('anew once the way of matching changes', async () => {
    const source = await createSource({ matching: { by: 'id' } });
    const patient = await createPerson();
    ehr.resources = [buildPatient('p1', patient.mrn)];
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(getState(await waitForSync(source, patient)), ['no_match', 'nobody_found']);
    await call(service, getSourcePath(source.id), {
      method: 'PATCH',
      token: admin,
      json: { matching: byIdentifier },
    });
    while ((await getSync(source, patient)).state !== 'up_to_date')
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await listStored(patient), ['Patient p1']);
  });
});

describe('a source is signed in at', () => {
  const buildSmart = (id: string, algs: string[] | null): FakeFhirServer['options']['smart'] => ({
    clientId: 'chartgate-client',
    keys: async () => (await call(service, `/v1/sources/${id}/jwks.json`)).body as JSONWebKeySet,
    algs,
    now: () => service.clock.now(),
  });

  for (const algs of [['ES384'], ['RS384'], ['RS384', 'ES384'], null])
    it(`with a signed assertion, where the server takes ${algs?.join(' and ') ?? 'what it does not say'}`, async () => {
      const authentication = { type: 'smart_backend_services', clientId: 'chartgate-client' };
      const source = await createSource({ authentication });
      assert.equal(source.authentication.jwksUrl, `${service.baseUrl}/v1/sources/${source.id}/jwks.json`);
      ehr.options.smart = buildSmart(source.id as string, algs);
      const patient = await createPerson();
      ehr.resources = [buildPatient('p1', patient.mrn), observation('o', 'p1')];
      const tested = await call(service, `${getSourcePath(source.id)}/test`, {
        method: 'POST',
        token: admin,
      });
      assert.deepEqual(
        [tested.body.ok, tested.body.everything],
        [true, 'Patient'],
        JSON.stringify(tested.body),
      );
      await decide(service, patient, 'OPTED_IN');
      assert.deepEqual(getState(await waitForSync(source, patient)), ['up_to_date', null]);
      assert.equal(
        ehr.requests.filter((asked) => asked === 'POST /token').length,
        2,
        'one for the test, one for all requests',
      );
    });

  it('in vain with keys that are not registered, which is reported and not tried again', async () => {
    const source = await createSource({
      authentication: { type: 'smart_backend_services', clientId: 'chartgate-client' },
    });
    const stranger = await createSource({
      authentication: { type: 'smart_backend_services', clientId: 'chartgate-client' },
      projectIds: [await newProject(service, 'Elsewhere')],
    });
    ehr.options.smart = buildSmart(stranger.id as string, ['ES384']);
    const tested = await call(service, `${getSourcePath(source.id)}/test`, { method: 'POST', token: admin });
    assert.deepEqual(tested.body.steps, [
      { step: 'token', ok: false, code: 'token_refused', message: 'The token endpoint refuses this client.' },
    ]);
    const patient = await createPerson();
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(getState(await waitForSync(source, patient)), ['failed', 'token_refused']);
  });

  it('anew when a token is not taken any more', async () => {
    const source = await createSource({
      authentication: { type: 'smart_backend_services', clientId: 'chartgate-client' },
    });
    ehr.options.smart = buildSmart(source.id as string, ['ES384']);
    const patient = await createPerson();
    ehr.resources = [buildPatient('p1', patient.mrn)];
    let refused = false;
    ehr.intercept = ({ path }, response) => {
      if (refused || !path.startsWith('/Patient')) return false;
      refused = true;
      sendOutcome(response, 401);
      return true;
    };
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(getState(await waitForSync(source, patient)), ['up_to_date', null]);
    assert.equal(ehr.requests.filter((asked) => asked === 'POST /token').length, 2);
  });

  it('with a secret that nobody is shown again', async () => {
    const source = await createSource({ authentication: { type: 'bearer', secret: 'open-sesame' } });
    ehr.options.bearer = 'open-sesame';
    const patient = await createPerson();
    ehr.resources = [buildPatient('p1', patient.mrn)];
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(getState(await waitForSync(source, patient)), ['up_to_date', null]);
    const shown = await Promise.all(
      [getSourcesPath(), getSourcePath(source.id), `${getSourcePath(source.id)}/syncs`].map((url) =>
        call(service, url, { token: admin }),
      ),
    );
    const log = await service.store.db.query(
      sql<{ detail: string }>`select detail from audit_entry where action like 'source.%'`,
    );
    assert.doesNotMatch(JSON.stringify([shown, log]), /open-sesame/);
    ehr.options.bearer = 'changed';
    assert.deepEqual(getState(await synchronize(source, patient)), ['failed', 'unauthorized']);
  });
});
