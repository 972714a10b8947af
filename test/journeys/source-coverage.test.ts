import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import {
  buildBundle,
  send,
  sendOutcome,
  startFakeFhirServer,
  type FakeFhirServer,
} from '../harness/fake-fhir-server.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  getToolText,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';

let ehr: FakeFhirServer;
let service: TestService;
let admin: string;
let source: HttpResponse['body'];
let patient: TestPatient;
const getPath = (): string => `/v1/organizations/${service.organization.organizationId}/sources`;

before(async () => {
  ehr = await startFakeFhirServer();
  service = await startTestService({
    outbound: ehr.outboundClient,
    environment: { CHARTGATE_SOURCES_ALLOW_PRIVATE: '1' },
    // Longer than anything is waited for here: a request ends because it is ended.
    sourceLimits: { firstRequestMs: 60_000, requestMs: 600_000 },
  });
  admin = await getOrganizationToken(service);
});
after(async () => {
  await service.stop();
  await ehr.stop();
});

let count = 0;

/** A source, and a person of it who has not decided yet. */
beforeEach(async () => {
  Object.assign(ehr.options, { everything: true, types: null });
  const id = `p${++count}`;
  Object.assign(ehr, {
    resources: [buildPatient(id), observation('o1', id)],
    requests: [],
    intercept: () => false,
  });
  const json = {
    name: `Hospital ${count}`,
    baseUrl: ehr.base,
    matching: { by: 'id' },
    servesTestPatients: true,
  };
  if (source) await call(service, `${getPath()}/${source.id}`, { method: 'DELETE', token: admin });
  source = (await call(service, getPath(), { token: admin, json })).body;
  patient = await createPerson(id);
});

async function createPerson(externalId: string): Promise<TestPatient> {
  const { organizationId, projectId } = service.organization;
  const name = { firstName: 'José', lastName: 'O’Hara' };
  const created = await call(service, `/v1/organizations/${organizationId}/test-patients`, {
    token: admin,
    json: name,
  });
  const { patient: person, password } = created.body;
  await call(service, `/v1/projects/${projectId}/patients`, {
    token: admin,
    json: { patients: [{ email: person.email, ...name, externalId }], suppressNotifications: true },
  });
  const login = { email: person.email, password, projectId };
  const { token } = (await call(service, '/v1/auth/token', { json: login })).body;
  return { id: person.id, email: person.email, password, projectId, token };
}

const buildPatient = (id: string): string =>
  JSON.stringify({ resourceType: 'Patient', id, name: [{ family: "O'Hara", given: ['Jose'] }] });

const observation = (id: string, owner: string, more: object = {}): string =>
  JSON.stringify({
    resourceType: 'Observation',
    id,
    status: 'final',
    code: { text: 'Potassium' },
    subject: { reference: `Patient/${owner}` },
    ...more,
  });

/** Waits until the sync has ended. */
async function waitForSync(): Promise<HttpResponse['body']> {
  let sync: HttpResponse['body'];
  await waitUntil('the sync has ended', async () => {
    const { body } = await call(service, `${getPath()}/${source.id}/syncs?patientId=${patient.id}`, {
      token: admin,
    });
    sync = body.results[0];
    return sync !== undefined && sync.state !== 'running' && sync.state !== 'waiting';
  });
  return sync;
}

async function synchronize(): Promise<HttpResponse['body']> {
  ehr.requests = [];
  const json = { patientId: patient.id };
  assert.equal((await call(service, `${getPath()}/${source.id}/sync`, { token: admin, json })).status, 202);
  return waitForSync();
}

async function consentAndWait(): Promise<HttpResponse['body']> {
  await decide(service, patient, 'OPTED_IN');
  return waitForSync();
}

const getState = ({ state, code }: HttpResponse['body']): [string, string | null] => [state, code];
const hasAskedSince = (): boolean => ehr.requests.some((asked) => asked.includes('_since'));

const listStored = async (): Promise<string[]> =>
  (
    await service.store.db.query(
      sql<{ name: string }>`
        select resource_type || ' ' || source_id as name from resource where patient_id = ${patient.id} order by 1`,
    )
  ).map(({ name }) => name);

const sayState = async (): Promise<string> =>
  getToolText(await callTool(service, patient, 'update_and_check_recent_records'));

/** Answers `$everything` with what is there, changed. */
const changeEverything = (change: (bundle: string) => string): void => {
  ehr.intercept = ({ path }, response) => {
    if (!path.endsWith('$everything')) return false;
    send(response, change(buildBundle(ehr.resources)));
    return true;
  };
};

describe('a source is up to date', () => {
  it('as of no later than our own time, however far ahead its clock is', async () => {
    ehr.intercept = ({ path }, response) => {
      if (path.endsWith('$everything')) response.setHeader('date', 'Fri, 29 Nov 2999 00:00:00 GMT');
      return false;
    };
    assert.deepEqual(getState(await consentAndWait()), ['up_to_date', null]);
    ehr.intercept = () => false;
    await synchronize();
    const [, since] = /_since=([^& ]+)/.exec(ehr.requests.join('\n')) ?? [];
    assert.ok(Date.parse(since ?? '') < Date.now(), since);
  });

  it('not where a time that has not come was saved before: then everything is asked for', async () => {
    await consentAndWait();
    await service.store.db.query(
      sql`update source_sync set covered_until = '2999-01-01' where patient_id = ${patient.id}`,
    );
    await synchronize();
    assert.equal(hasAskedSince(), false);
  });

  it('not where nothing of its answer could be read: it failed, and everything is asked for again', async () => {
    changeEverything((bundle) => bundle.replace('searchset', 'history'));
    assert.deepEqual(getState(await consentAndWait()), ['failed', 'not_stored']);
    changeEverything((bundle) => bundle);
    assert.deepEqual(getState(await synchronize()), ['up_to_date', null]);
    assert.equal(hasAskedSince(), false);
    assert.deepEqual(await listStored(), ['Observation o1', `Patient p${count}`]);
  });

  it('in part where a resource could not be read, until all is', async () => {
    const deep = '{"extension":['.repeat(150) + ']}'.repeat(150);
    ehr.resources.push(observation('bad', `p${count}`).replace('"status"', `"extension":[${deep}],"status"`));
    assert.deepEqual(getState(await consentAndWait()), ['up_to_date', 'partial']);
    assert.match(await sayState(), /read in part: not all that it has could be fetched or read/);
    assert.deepEqual(getState(await synchronize()), ['up_to_date', 'partial']);
    assert.equal(hasAskedSince(), false);
    ehr.resources.pop();
    ehr.resources.push(observation('bad', `p${count}`));
    assert.deepEqual(getState(await synchronize()), ['up_to_date', null]);
    assert.equal((await listStored()).length, 3);
  });

  it('case 562: in part where the only new resource could not be read, which is listed and asked for again', async () => {
    assert.deepEqual(getState(await consentAndWait()), ['up_to_date', null]);
    const deep = '{"extension":['.repeat(150) + ']}'.repeat(150);
    const bad = observation('bad', `p${count}`, { meta: { lastUpdated: '2999-01-01T00:00:00Z' } });
    ehr.resources.push(bad.replace('"status"', `"extension":[${deep}],"status"`));
    assert.deepEqual(getState(await synchronize()), ['up_to_date', 'partial']);
    const { body } = await call(service, `/v1/patients/${patient.id}/upload-documents`, {
      token: patient.token,
    });
    const [{ batchId }] = body.results;
    const listed = await call(service, `/v1/patients/${patient.id}/upload-documents/${batchId}`, {
      token: patient.token,
    });
    assert.deepEqual(
      listed.body.rejected.map(({ code }: { code: string }) => code),
      ['too_deep'],
    );
    assert.deepEqual(getState(await synchronize()), ['up_to_date', 'partial']);
    assert.equal(hasAskedSince(), false);
    ehr.resources.pop();
    ehr.resources.push(bad);
    assert.deepEqual(getState(await synchronize()), ['up_to_date', null]);
    assert.equal((await listStored()).length, 3);
  });

  it('not where its whole answer is one resource that could not be read', async () => {
    const deep = '{"extension":['.repeat(150) + ']}'.repeat(150);
    changeEverything(() =>
      buildBundle([observation('bad', `p${count}`).replace('"status"', `"extension":[${deep}],"status"`)]),
    );
    assert.deepEqual(getState(await consentAndWait()), ['failed', 'not_stored']);
  });

  it('in part where it counts more than it sends, or says that something may be missing', async () => {
    changeEverything((bundle) => bundle.replace('{', '{"total":500,'));
    assert.deepEqual(getState(await consentAndWait()), ['up_to_date', 'partial']);
    const outcome = {
      resourceType: 'OperationOutcome',
      id: 'w',
      issue: [{ severity: 'warning', code: 'incomplete' }],
    };
    ehr.resources.push(JSON.stringify(outcome));
    changeEverything((bundle) => bundle);
    assert.deepEqual(getState(await synchronize()), ['up_to_date', 'partial']);
    assert.equal(hasAskedSince(), false);
    ehr.resources.pop();
    assert.deepEqual(getState(await synchronize()), ['up_to_date', null]);
    // What it says is for us, and nothing of the record.
    assert.deepEqual(await listStored(), ['Observation o1', `Patient p${count}`]);
  });

  it('with what it gives of its types, where it refuses one and gives another in part', async () => {
    ehr.options.everything = false;
    ehr.options.types = ['Condition', 'Observation'];
    ehr.intercept = ({ path }, response) => {
      if (path === '/Condition') sendOutcome(response, 403);
      else if (path === '/Observation')
        send(response, buildBundle([observation('o1', `p${count}`)]).replace('{', '{"total":9,'));
      else return false;
      return true;
    };
    const sync = await consentAndWait();
    assert.deepEqual(getState(sync), ['up_to_date', 'partial']);
    assert.deepEqual(sync.skippedTypes, ['Condition', 'Observation']);
    assert.deepEqual(await listStored(), ['Observation o1', `Patient p${count}`]);
    assert.match(await sayState(), /read in part: it did not give all conditions, results and vital signs/);
    assert.match(await sayState(), /was fetched in part \(it did not give all conditions/);
  });

  it('where it answers the searches of two types alike', async () => {
    ehr.options.everything = false;
    ehr.options.types = ['Condition', 'Observation'];
    ehr.intercept = ({ path }, response) => {
      if (path !== '/Condition' && path !== '/Observation') return false;
      send(response, buildBundle([observation('o1', `p${count}`)]));
      return true;
    };
    assert.deepEqual(getState(await consentAndWait()), ['up_to_date', null]);
    assert.deepEqual(await listStored(), ['Observation o1', `Patient p${count}`]);
  });
});

describe('a server that answers nothing', () => {
  it('case 564: holds up no other server of its organization, however many sources it is connected as', async () => {
    const healthy = await startFakeFhirServer();
    healthy.resources = [buildPatient(`p${count}`)];
    // Both resolve to this machine, whatever their port.
    const connect = async (name: string, baseUrl: string): Promise<HttpResponse['body']> => {
      const json = { name, baseUrl, matching: { by: 'id' }, servesTestPatients: true };
      return (await call(service, getPath(), { token: admin, json })).body;
    };
    const sources = await Promise.all(
      ['A 1', 'A 2', 'A 3', 'A 4', 'A 5', 'A 6'].map((name) => connect(name, ehr.base)),
    );
    const last = await connect('Z', healthy.base);
    ehr.intercept = () => true;
    await decide(service, patient, 'OPTED_IN');
    await waitUntil('the other one is fetched', async () => {
      const { body } = await call(service, `${getPath()}/${last.id}/syncs`, { token: admin });
      return body.results[0]?.state === 'up_to_date';
    });
    for (const { id } of [...sources, last])
      await call(service, `${getPath()}/${id}`, { method: 'DELETE', token: admin });
    await healthy.stop();
  });
});

describe('what a patient took out of the data of a source', () => {
  const listBatches = async (): Promise<HttpResponse['body'][]> =>
    (await call(service, `/v1/patients/${patient.id}/upload-documents`, { token: patient.token })).body
      .results;
  const takeOutAll = async (): Promise<void> => {
    for (const { batchId } of await listBatches())
      assert.equal(
        (
          await call(service, `/v1/patients/${patient.id}/upload-documents/${batchId}`, {
            method: 'DELETE',
            token: patient.token,
          })
        ).status,
        204,
      );
  };
  /** From now on the server answers each time with all that it has. */
  const ignoreSince = (): void => changeEverything((bundle) => bundle);
  const drug = (name: string, more: object = {}): string =>
    JSON.stringify({ resourceType: 'Medication', id: 'm', code: { text: name }, ...more });

  it('case 561: stays out while the server sends it again with something new, and comes back when it has changed there', async () => {
    const id = `p${count}`;
    ignoreSince();
    // As large as a letter.
    const note = [{ text: 'A line of a letter. '.repeat(5000) }];
    ehr.resources.push(
      observation('o2', id, { note, meta: { versionId: '1', lastUpdated: '2026-01-01T00:00:00Z' } }),
    );
    await consentAndWait();
    await takeOutAll();
    assert.deepEqual(await listStored(), []);
    // The same in another spelling, under another version.
    ehr.resources[2] = `${observation('o2', id, { note, meta: { versionId: '2' } }).slice(0, -1)} }`;
    ehr.resources.push(observation('flu', id));
    assert.deepEqual(getState(await synchronize()), ['up_to_date', null]);
    assert.deepEqual(await listStored(), ['Observation flu']);
    const [{ batchId }] = await listBatches();
    const path = `/v1/patients/${patient.id}/upload-documents/${batchId}`;
    const { body: batch } = await call(service, path, { token: patient.token });
    assert.equal(batch.status, 'completed');
    assert.deepEqual(
      batch.notes.map(({ code }: { code: string }) => code),
      ['taken_out'],
    );
    ehr.resources[1] = observation('o1', id, { status: 'amended' });
    await synchronize();
    assert.deepEqual(await listStored(), ['Observation flu', 'Observation o1']);
    // It was let in again: what it was before has changed since, too.
    ehr.resources[1] = observation('o1', id);
    await synchronize();
    assert.deepEqual(await listStored(), ['Observation flu', 'Observation o1']);
    assert.equal((await listBatches())[0].resources.updated, 1);
  });

  it('stays out where the server refuses to search by time, and where its match was made anew', async () => {
    ignoreSince();
    await consentAndWait();
    await takeOutAll();
    await service.store.db.query(
      sql`update source_sync set covered_until = null, content_hash = null where patient_id = ${patient.id}`,
    );
    assert.deepEqual(getState(await synchronize()), ['up_to_date', null]);
    assert.equal(hasAskedSince(), false);
    assert.deepEqual(await listStored(), []);
  });

  it('comes back as the drug that a new prescription names', async () => {
    const id = `p${count}`;
    ehr.resources.push(drug('Metformin'));
    changeEverything(() => buildBundle(ehr.resources));
    await consentAndWait();
    await takeOutAll();
    const medicationReference = { reference: 'Medication/m' };
    ehr.resources.push(
      JSON.stringify({
        resourceType: 'MedicationRequest',
        id: 'r',
        status: 'active',
        intent: 'order',
        subject: { reference: `Patient/${id}` },
        medicationReference,
      }),
    );
    await synchronize();
    assert.deepEqual(await listStored(), ['Medication m', 'MedicationRequest r']);
  });

  it('is remembered for as long as patient and source exist, by hashes alone', async () => {
    const countRemembered = async (): Promise<number> =>
      (await service.store.db.query(sql`select from taken_out_resource where source_id = ${source.id}`))
        .length;
    await consentAndWait();
    await takeOutAll();
    assert.ok((await countRemembered()) >= 2);
    await call(service, `${getPath()}/${source.id}`, { method: 'DELETE', token: admin });
    assert.equal(await countRemembered(), 0);
  });

  it('is not taken out while another answer of the source waits', async () => {
    await consentAndWait();
    const [{ batchId }] = await listBatches();
    await service.store.db.query(sql`
      insert into upload_batch (patient_id, batch_id, status, received_at, position, source_id)
      select patient_id, gen_random_uuid(), 'processing', now(), 1000, source_id from upload_batch where batch_id = ${batchId}`);
    const path = `/v1/patients/${patient.id}/upload-documents/${batchId}`;
    const refused = await call(service, path, { method: 'DELETE', token: patient.token });
    assert.deepEqual([refused.status, refused.body.code], [409, 'upload_unfinished']);
    await service.store.db.query(sql`delete from upload_batch where position = 1000`);
  });
});

describe('nothing is stored of what a source sends', () => {
  const whileItAnswers = (change: () => Promise<unknown>): void => {
    ehr.intercept = ({ path }, response) => {
      if (!path.endsWith('$everything')) return false;
      void change().then(() => send(response, buildBundle(ehr.resources)));
      return true;
    };
  };
  const listBatches = async (): Promise<unknown[]> =>
    (await call(service, `/v1/patients/${patient.id}/upload-documents`, { token: patient.token })).body
      .results;

  it('after it was paused', async () => {
    const json = { status: 'paused' };
    whileItAnswers(() => call(service, `${getPath()}/${source.id}`, { method: 'PATCH', token: admin, json }));
    assert.deepEqual(getState(await consentAndWait()), ['paused', 'source_paused']);
    assert.deepEqual([await listStored(), await listBatches()], [[], []]);
  });

  for (const [name, init] of [
    ['deleted', { method: 'DELETE' }],
    ['paused', { method: 'PATCH', json: { status: 'paused' } }],
  ] as const)
    it(`case 564: while it answers nothing and is ${name}: the request is not waited for`, async () => {
      ehr.intercept = ({ path }) => path.endsWith('$everything');
      await decide(service, patient, 'OPTED_IN');
      await waitUntil('it is asked', async () => ehr.requests.some((asked) => asked.includes('$everything')));
      await call(service, `${getPath()}/${source.id}`, { ...init, token: admin });
      await waitUntil('its job has ended', async () => {
        const jobs = await service.store.db.query(
          sql`select 1 from job where unique_key like ${`%${patient.id}`}`,
        );
        return jobs.length === 0;
      });
      assert.deepEqual([await listStored(), await listBatches()], [[], []]);
    });

  it('after it was deleted', async () => {
    whileItAnswers(() => call(service, `${getPath()}/${source.id}`, { method: 'DELETE', token: admin }));
    await decide(service, patient, 'OPTED_IN');
    await waitUntil('its job has ended', async () => {
      const jobs = await service.store.db.query(
        sql`select 1 from job where unique_key like ${`%${patient.id}`}`,
      );
      return jobs.length === 0;
    });
    assert.ok(ehr.requests.some((asked) => asked.includes('$everything')));
    assert.deepEqual([await listStored(), await listBatches()], [[], []]);
  });
});
