import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { JSONWebKeySet } from 'jose';
import { sql } from '../../server/storage/sql.ts';
import { bundle, fhirServer, outcome, send, type FhirServer } from '../harness/fhir-server.ts';
import {
  answeredWith,
  authorizePath,
  decideRequest,
  newFlow,
  requestIdOf,
  untilReady,
} from '../harness/authorization.ts';
import {
  call,
  callTool,
  decide,
  newProject,
  organizationToken,
  testService,
  textOf,
  type Answer,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let ehr: FhirServer;
let service: TestService;
let admin: string;

before(async () => {
  ehr = await fhirServer();
  service = await testService({
    egress: ehr.egress,
    environment: { CHARTGATE_SOURCES_ALLOW_PRIVATE: '1' },
  });
  admin = await organizationToken(service);
});
after(async () => {
  await service.stop();
  await ehr.stop();
});

const initial = { ...(await waysOf()) };
async function waysOf(): Promise<FhirServer['ways']> {
  const server = await fhirServer();
  await server.stop();
  return server.ways;
}

const connected: string[] = [];

beforeEach(async () => {
  for (const id of connected.splice(0)) await call(service, one(id), { method: 'DELETE', token: admin });
  Object.assign(ehr, { resources: [], asked: [], ways: { ...initial }, instead: () => false });
});

const all = (): string => `/v1/organizations/${service.organization.organizationId}/sources`;
const one = (id: string): string => `${all()}/${id}`;

let names = 0;

async function connect(more: object = {}): Promise<Answer['body']> {
  const json = {
    name: `Hospital ${++names}`,
    baseUrl: ehr.base,
    matching: { by: 'identifier', system: 'urn:mrn' },
    ...more,
  };
  const { status, body } = await call(service, all(), { token: admin, json });
  assert.equal(status, 201, JSON.stringify(body));
  connected.push(body.id as string);
  return body;
}

let people = 0;

/** A person whom the organization enrolls by an id of its own, as a test patient who has not decided yet. */
async function person(): Promise<TestPatient & { mrn: string }> {
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

const patientThere = (id: string, mrn: string, more: object = {}): string =>
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

async function syncOf(source: { id: string }, patient: { id: string }): Promise<Answer['body']> {
  const { body } = await call(service, `${one(source.id)}/syncs?patientId=${patient.id}`, { token: admin });
  return body.results[0];
}

/** Waits until it waits for nothing but another try, or has ended. */
async function settled(source: { id: string }, patient: { id: string }): Promise<Answer['body']> {
  for (;;) {
    const sync = await syncOf(source, patient);
    if (sync && sync.state !== 'running' && (sync.state !== 'waiting' || sync.failures > 0)) return sync;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

async function synced(source: { id: string }, patient: { id: string }): Promise<Answer['body']> {
  const json = { patientId: patient.id };
  assert.equal((await call(service, `${one(source.id)}/sync`, { token: admin, json })).status, 202);
  return settled(source, patient);
}

const stateOf = ({ state, code }: { state: string; code: string | null }): [string, string | null] => [
  state,
  code,
];

const stored = async (patient: { id: string }): Promise<string[]> =>
  (
    await service.store.db.query(
      sql<{ name: string }>`
        select resource_type || ' ' || source_id as name from resource where patient_id = ${patient.id} order by 1`,
    )
  ).map(({ name }) => name);

const bodiesOf = async (patient: { id: string }): Promise<string> =>
  (
    await service.store.db.query(
      sql<{ body: string }>`select body from resource where patient_id = ${patient.id}`,
    )
  )
    .map(({ body }) => body)
    .join('\n');

describe('a record is fetched from a connected source', () => {
  it('as soon as the patient consents, page by page, with the digits it was written with', async () => {
    const source = await connect();
    const patient = await person();
    ehr.ways.pageSize = 3;
    ehr.resources = [
      patientThere('p1', patient.mrn),
      patientThere('other', 'somebody'),
      ...Array.from({ length: 7 }, (_, n) => observation(`o${n}`, 'p1')),
      observation('theirs', 'other'),
    ];
    await decide(service, patient, 'OPTED_IN');
    const sync = await settled(source, patient);
    assert.deepEqual(stateOf(sync), ['up_to_date', null]);
    assert.deepEqual([sync.pages, sync.resources], [3, 8]);
    assert.equal((await stored(patient)).length, 8);
    assert.match(await bodiesOf(patient), /4\.10/);
    assert.doesNotMatch((await stored(patient)).join(), /theirs/);
    const text = textOf(await callTool(service, patient, 'get_labs', { years: 5 }));
    assert.match(text, /Potassium/);
  });

  it('not before the patient consents, and not after they took it back', async () => {
    const source = await connect();
    const patient = await person();
    ehr.resources = [patientThere('p1', patient.mrn)];
    const json = { patientId: patient.id };
    assert.equal((await call(service, `${one(source.id)}/sync`, { token: admin, json })).status, 403);
    assert.deepEqual(ehr.asked, []);
    await decide(service, patient, 'OPTED_IN');
    await settled(source, patient);
    await decide(service, patient, 'OPTED_OUT');
    ehr.asked = [];
    assert.equal((await call(service, `${one(source.id)}/sync`, { token: admin, json })).status, 403);
    assert.deepEqual(
      (await call(service, `/v1/patients/${patient.id}/sources`, { token: patient.token })).body.results.map(
        stateOf,
      ),
      [['paused', 'no_consent']],
    );
    assert.deepEqual(ehr.asked, []);
  });

  it('and nothing of it is stored when the consent is taken back while the server answers', async () => {
    const source = await connect();
    const patient = await person();
    ehr.resources = [patientThere('p1', patient.mrn), observation('o', 'p1')];
    ehr.instead = ({ path }, response) => {
      if (!path.endsWith('$everything')) return false;
      void decide(service, patient, 'OPTED_OUT').then(() => send(response, bundle(ehr.resources)));
      return true;
    };
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(stateOf(await settled(source, patient)), ['paused', 'no_consent']);
    assert.deepEqual(await stored(patient), []);
    const uploads = `/v1/patients/${patient.id}/upload-documents`;
    assert.deepEqual((await call(service, uploads, { token: patient.token })).body.results, []);
  });

  it('type by type where there is no $everything, with what the record refers to', async () => {
    const source = await connect();
    const patient = await person();
    Object.assign(ehr.ways, { everything: false, pageSize: 2 });
    ehr.resources = [
      patientThere('p1', patient.mrn),
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
    assert.deepEqual(stateOf(await settled(source, patient)), ['up_to_date', null]);
    assert.deepEqual(await stored(patient), [
      'Medication drug',
      'MedicationRequest m',
      ...[0, 1, 2, 3, 4].map((n) => `Observation o${n}`),
      'Patient p1',
      'Practitioner doc',
      'PractitionerRole r',
    ]);
    assert.match(textOf(await callTool(service, patient, 'get_medications')), /Metformin/);
  });

  it('without the types that the server refuses, which is told', async () => {
    const source = await connect();
    const patient = await person();
    ehr.ways.everything = false;
    ehr.resources = [
      patientThere('p1', patient.mrn),
      observation('o', 'p1'),
      JSON.stringify({
        resourceType: 'Condition',
        id: 'c',
        subject: { reference: 'Patient/p1' },
        code: { text: 'Asthma' },
      }),
    ];
    ehr.instead = ({ path }, response) => path === '/Condition' && (outcome(response, 403), true);
    await decide(service, patient, 'OPTED_IN');
    const sync = await settled(source, patient);
    assert.deepEqual(stateOf(sync), ['up_to_date', 'partial']);
    assert.deepEqual(sync.skippedTypes, ['Condition']);
    assert.deepEqual(await stored(patient), ['Observation o', 'Patient p1']);
  });

  it('as far as the server gives it, which is told where it knows of more', async () => {
    const source = await connect();
    const patient = await person();
    ehr.ways.everything = false;
    ehr.resources = [patientThere('p1', patient.mrn), observation('o', 'p1')];
    ehr.instead = ({ path }, response) => {
      if (path !== '/Observation') return false;
      send(response, bundle([observation('o', 'p1')]).replace('{', '{"total":7,'));
      return true;
    };
    await decide(service, patient, 'OPTED_IN');
    const sync = await settled(source, patient);
    assert.deepEqual([...stateOf(sync), sync.skippedTypes], ['up_to_date', 'partial', ['Observation']]);
    assert.deepEqual(await stored(patient), ['Observation o', 'Patient p1']);
    ehr.asked = [];
    await synced(source, patient);
    assert.ok(ehr.asked.some((asked) => asked.startsWith('GET /Observation?patient=Patient/p1&_count=200')));
    assert.ok(!ehr.asked.some((asked) => asked.includes('_lastUpdated')), 'all is asked for again');
  });

  it('again, only what is new; nothing new makes no batch', async () => {
    const source = await connect();
    const patient = await person();
    ehr.resources = [
      patientThere('p1', patient.mrn, { meta: { lastUpdated: '2026-01-01T00:00:00Z' } }),
      observation('o1', 'p1', { meta: { lastUpdated: '2026-01-01T00:00:00Z' } }),
    ];
    await decide(service, patient, 'OPTED_IN');
    const first = await settled(source, patient);
    ehr.asked = [];
    const again = await synced(source, patient);
    assert.match(ehr.asked.join('\n'), /\$everything\?_count=200&_since=20\d\d-/);
    assert.equal(again.batchId, first.batchId, 'nothing new');
    assert.deepEqual(stateOf(again), ['up_to_date', null]);
    ehr.resources.push(observation('o2', 'p1', { meta: { lastUpdated: '2099-01-01T00:00:00Z' } }));
    const last = await synced(source, patient);
    assert.notEqual(last.batchId, first.batchId);
    assert.equal(last.resources, 1);
    assert.deepEqual(await stored(patient), ['Observation o1', 'Observation o2', 'Patient p1']);
    assert.ok(!ehr.asked.some((asked) => asked.includes('identifier=')), 'matched once');
  });

  it('when the patient asks for it, by token and on their page', async () => {
    const source = await connect();
    const patient = await person();
    ehr.resources = [patientThere('p1', patient.mrn), observation('o', 'p1')];
    await decide(service, patient, 'OPTED_IN');
    await settled(source, patient);
    ehr.asked = [];
    const url = `/v1/patients/${patient.id}/sources`;
    const refreshed = await call(service, `${url}/refresh`, { method: 'POST', token: patient.token });
    assert.deepEqual([refreshed.status, refreshed.body], [202, { sources: 1 }]);
    await settled(source, patient);
    assert.ok(ehr.asked.length > 0);
    const [listed] = (await call(service, url, { token: patient.token })).body.results;
    assert.deepEqual(
      [listed.sourceId, listed.name, ...stateOf(listed)],
      [source.id, source.name, 'up_to_date', null],
    );
    assert.ok(Date.parse(listed.lastSynchronizedAt as string) > 0);
    const text = textOf(await callTool(service, patient, 'update_and_check_recent_records'));
    assert.match(text, new RegExp(`\\| ${source.name as string} \\| up to date \\| 20\\d\\d-`));
  });

  it('for everybody who consents, at the organization’s call; a resumed source catches up by itself', async () => {
    const [one1, two] = [await person(), await person()];
    ehr.resources = [patientThere('p1', one1.mrn), patientThere('p2', two.mrn)];
    for (const each of [one1, two]) await decide(service, each, 'OPTED_IN');
    const source = await connect();
    const called = await call(service, `${one(source.id)}/sync`, { method: 'POST', token: admin });
    assert.equal(called.status, 202);
    assert.ok(called.body.patients >= 2);
    for (const each of [one1, two]) assert.equal((await settled(source, each)).state, 'up_to_date');
    await call(service, one(source.id), { method: 'PATCH', token: admin, json: { status: 'paused' } });
    const refused = await call(service, `${one(source.id)}/sync`, { method: 'POST', token: admin });
    assert.deepEqual([refused.status, refused.body.code], [409, 'source_paused']);
    const text = textOf(await callTool(service, one1, 'update_and_check_recent_records'));
    assert.match(text, /\| paused \|/);
    ehr.resources.push(observation('o', 'p1', { meta: { lastUpdated: '2099-01-01T00:00:00Z' } }));
    await call(service, one(source.id), { method: 'PATCH', token: admin, json: { status: 'active' } });
    while ((await stored(one1)).length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it('while the consent page waits for it, and shows how far it is', async () => {
    const flow = await newFlow(service);
    const { patient } = flow;
    const source = await connect({ matching: { by: 'demographics' } });
    const gate = Promise.withResolvers<void>();
    const { rows } = await identity(patient.id);
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
    ehr.instead = ({ path }, response) => {
      if (open || !path.endsWith('$everything')) return false;
      void gate.promise.then(() => outcome(response, 503));
      return true;
    };
    const requestId = requestIdOf(
      await flow.browser.get(
        authorizePath({ clientId: flow.client.client_id as string, challenge: flow.pkce.challenge }),
      ),
    );
    assert.deepEqual((await decideRequest(flow.browser, requestId, 'grant')).body, { status: 'processing' });
    const progress = async (): Promise<unknown> =>
      (await flow.browser.get(`/oauth/interaction/${requestId}`)).body.progress;
    while (!JSON.stringify(await progress()).includes('running'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    while (!ehr.asked.some((asked) => asked.includes('$everything')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await progress(), [{ source: source.name, state: 'running' }]);
    gate.resolve();
    while ((await syncOf(source, patient)).failures === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    service.clock.pass(10_000);
    await untilReady(flow.browser, requestId);
    assert.deepEqual(await progress(), [{ source: source.name, state: 'done' }]);
    assert.deepEqual(await stored(patient), ['Observation o', 'Patient p1']);
    assert.ok(answeredWith(await flow.browser.get(`/oauth/complete/${requestId}`))['code']);
    const mine = await flow.browser.get('/account/sources');
    assert.deepEqual(mine.body.results.map(stateOf), [['up_to_date', null]]);
    assert.deepEqual((await flow.browser.post('/account/sources/refresh')).body, { sources: 1 });
    await settled(source, patient);
  });

  async function identity(patientId: string): Promise<{ rows: { first_name: string; last_name: string } }> {
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
    const source = await connect({ projectIds: [other] });
    const patient = await person();
    await decide(service, patient, 'OPTED_IN');
    const json = { patientId: patient.id };
    assert.equal((await call(service, `${one(source.id)}/sync`, { token: admin, json })).status, 403);
    assert.deepEqual(ehr.asked, []);
  });
});

describe('a patient is matched', () => {
  async function matched(matching: object, resources: (mrn: string) => string[], ways: object = {}) {
    const source = await connect({ matching });
    const patient = await person();
    Object.assign(ehr.ways, ways);
    ehr.resources = resources(patient.mrn);
    await decide(service, patient, 'OPTED_IN');
    const sync = await settled(source, patient);
    return { told: stateOf(sync), stored: await stored(patient), patient };
  }
  const byIdentifier = { by: 'identifier', system: 'urn:mrn' };
  const byDemographics = { by: 'demographics' };

  it('by no identifier that somebody else has, or of another system', async () => {
    const { told, stored } = await matched(byIdentifier, (mrn) => [
      patientThere('p1', mrn, { identifier: [{ system: 'urn:other', value: mrn }] }),
      patientThere('p2', `${mrn}0`),
    ]);
    assert.deepEqual([told, stored], [['no_match', 'nobody_found'], []]);
    assert.ok(!ehr.asked.some((asked) => asked.includes('everything')));
  });

  it('to nobody when two have the identifier', async () => {
    const two = (mrn: string): string[] => [patientThere('p1', mrn), patientThere('p2', mrn)];
    const { told, stored } = await matched(byIdentifier, two);
    assert.deepEqual([told, stored], [['ambiguous_match', 'several_found'], []]);
  });

  it('not to one who was merged into another', async () => {
    const { told, stored } = await matched(byIdentifier, (mrn) => [
      patientThere('old', mrn, { link: [{ other: { reference: 'Patient/p1' }, type: 'replaced-by' }] }),
      patientThere('p1', mrn),
    ]);
    assert.deepEqual([told, stored], [['up_to_date', null], ['Patient p1']]);
  });

  for (const match of [false, true])
    it(`by name and birth date, ${match ? 'with $match' : 'by search'}, whatever accents and apostrophes`, async () => {
      const there = (): string[] => [
        patientThere('p1', 'x', { name: [{ family: 'O’Hara', given: ['José'] }] }),
        patientThere('p2', 'y', { name: [{ family: 'O’Hara', given: ['José'] }], birthDate: '1970-03-02' }),
      ];
      const { told, stored } = await matched(byDemographics, there, { match });
      assert.deepEqual([told, stored], [['up_to_date', null], ['Patient p1']]);
      assert.equal(
        ehr.asked.some((asked) => asked.startsWith('POST /Patient/$match')),
        match,
      );
    });

  it('to nobody when two have the name and the birth date, unless one has the address', async () => {
    const name = [{ family: 'O’Hara', given: ['José'] }];
    const two = await matched(byDemographics, () => [
      patientThere('p1', 'x', { name }),
      patientThere('p2', 'y', { name }),
    ]);
    assert.deepEqual([two.told, two.stored], [['ambiguous_match', 'several_found'], []]);
    await service.store.db.query(
      sql`update patient set email = 'jose@mail.example' where patient_id = ${two.patient.id}`,
    );
    ehr.resources = [
      patientThere('p1', 'x', { name }),
      patientThere('p2', 'y', { name, telecom: [{ system: 'email', value: 'Jose@Mail.example' }] }),
    ];
    const source = { id: connected.at(-1) as string };
    assert.deepEqual(stateOf(await synced(source, two.patient)), ['up_to_date', null]);
    assert.deepEqual(await stored(two.patient), ['Patient p2']);
  });

  it('by demographics when the identifier is not known there', async () => {
    const both = { by: 'identifier_then_demographics', system: 'urn:mrn' };
    const there = (): string[] => [
      patientThere('p1', 'else', { name: [{ family: 'O’Hara', given: ['José'] }] }),
    ];
    const { told, stored } = await matched(both, there);
    assert.deepEqual([told, stored], [['up_to_date', null], ['Patient p1']]);
  });

  it('by the server’s own id', async () => {
    const { told, stored, patient } = await matched({ by: 'id' }, (mrn) => [patientThere(mrn, 'x')]);
    assert.deepEqual([told, stored], [['up_to_date', null], [`Patient ${patient.mrn}`]]);
  });

  it('anew once the way of matching changes', async () => {
    const source = await connect({ matching: { by: 'id' } });
    const patient = await person();
    ehr.resources = [patientThere('p1', patient.mrn)];
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(stateOf(await settled(source, patient)), ['no_match', 'nobody_found']);
    await call(service, one(source.id), { method: 'PATCH', token: admin, json: { matching: byIdentifier } });
    while ((await syncOf(source, patient)).state !== 'up_to_date')
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await stored(patient), ['Patient p1']);
  });
});

describe('a source is signed in at', () => {
  const smart = (id: string, algs: string[] | null): FhirServer['ways']['smart'] => ({
    clientId: 'chartgate-client',
    keys: async () => (await call(service, `/v1/sources/${id}/jwks.json`)).body as JSONWebKeySet,
    algs,
    now: () => service.clock.now(),
  });

  for (const algs of [['ES384'], ['RS384'], ['RS384', 'ES384'], null])
    it(`with a signed assertion, where the server takes ${algs?.join(' and ') ?? 'what it does not tell'}`, async () => {
      const authentication = { type: 'smart_backend_services', clientId: 'chartgate-client' };
      const source = await connect({ authentication });
      assert.equal(source.authentication.jwksUrl, `${service.baseUrl}/v1/sources/${source.id}/jwks.json`);
      ehr.ways.smart = smart(source.id as string, algs);
      const patient = await person();
      ehr.resources = [patientThere('p1', patient.mrn), observation('o', 'p1')];
      const tested = await call(service, `${one(source.id)}/test`, { method: 'POST', token: admin });
      assert.deepEqual(
        [tested.body.ok, tested.body.everything],
        [true, 'Patient'],
        JSON.stringify(tested.body),
      );
      await decide(service, patient, 'OPTED_IN');
      assert.deepEqual(stateOf(await settled(source, patient)), ['up_to_date', null]);
      assert.equal(
        ehr.asked.filter((asked) => asked === 'POST /token').length,
        2,
        'one for the test, one for all requests',
      );
    });

  it('in vain with keys that are not registered, which is told and not tried again', async () => {
    const source = await connect({
      authentication: { type: 'smart_backend_services', clientId: 'chartgate-client' },
    });
    const stranger = await connect({
      authentication: { type: 'smart_backend_services', clientId: 'chartgate-client' },
      projectIds: [await newProject(service, 'Elsewhere')],
    });
    ehr.ways.smart = smart(stranger.id as string, ['ES384']);
    const tested = await call(service, `${one(source.id)}/test`, { method: 'POST', token: admin });
    assert.deepEqual(tested.body.steps, [
      { step: 'token', ok: false, code: 'token_refused', message: 'The token endpoint refuses this client.' },
    ]);
    const patient = await person();
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(stateOf(await settled(source, patient)), ['failed', 'token_refused']);
  });

  it('anew when a token is not taken any more', async () => {
    const source = await connect({
      authentication: { type: 'smart_backend_services', clientId: 'chartgate-client' },
    });
    ehr.ways.smart = smart(source.id as string, ['ES384']);
    const patient = await person();
    ehr.resources = [patientThere('p1', patient.mrn)];
    let refused = false;
    ehr.instead = ({ path }, response) => {
      if (refused || !path.startsWith('/Patient')) return false;
      refused = true;
      outcome(response, 401);
      return true;
    };
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(stateOf(await settled(source, patient)), ['up_to_date', null]);
    assert.equal(ehr.asked.filter((asked) => asked === 'POST /token').length, 2);
  });

  it('with a secret that nobody is shown again', async () => {
    const source = await connect({ authentication: { type: 'bearer', secret: 'open-sesame' } });
    ehr.ways.bearer = 'open-sesame';
    const patient = await person();
    ehr.resources = [patientThere('p1', patient.mrn)];
    await decide(service, patient, 'OPTED_IN');
    assert.deepEqual(stateOf(await settled(source, patient)), ['up_to_date', null]);
    const shown = await Promise.all(
      [all(), one(source.id), `${one(source.id)}/syncs`].map((url) => call(service, url, { token: admin })),
    );
    const log = await service.store.db.query(
      sql<{ detail: string }>`select detail from audit_entry where action like 'source.%'`,
    );
    assert.doesNotMatch(JSON.stringify([shown, log]), /open-sesame/);
    ehr.ways.bearer = 'changed';
    assert.deepEqual(stateOf(await synced(source, patient)), ['failed', 'unauthorized']);
  });
});
