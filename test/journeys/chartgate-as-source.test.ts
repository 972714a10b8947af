import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { createOutboundClient } from '../../server/platform/outbound/outbound-client.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import { getRaw } from '../harness/fhir.ts';
import { findFreePort } from '../harness/postgres.ts';
import {
  call,
  decide,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { certificate, startTlsServer, type Listener } from '../harness/tls/server.ts';

/** A whole second service, behind TLS under a name. */
let sourceService: TestService;
let proxy: Listener;
let ownService: TestService;

before(async () => {
  const port = await findFreePort();
  proxy = await startTlsServer((request, response) => {
    const { method, url: path, headers } = request;
    request.pipe(
      http.request({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  const url = `https://chart.agent.example:${proxy.port}`;
  sourceService = await startTestService({
    environment: {
      PORT: String(port),
      CHARTGATE_BASE_URL: url,
      CHARTGATE_ALLOWED_HOSTS: `127.0.0.1:${port}`,
    },
  });
  // The harness's own calls go straight to it.
  sourceService.baseUrl = `http://127.0.0.1:${port}`;
  ownService = await startTestService({
    environment: { CHARTGATE_SOURCES_ALLOW_PRIVATE: '1' },
    outbound: createOutboundClient({
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      permits: (address) => address === '127.0.0.1',
      ca: certificate,
    }),
  });
});
after(async () => {
  await ownService.stop();
  await sourceService.stop();
  await proxy.stop();
});

const HTEST = { system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'HTEST' };

const listStored = async (service: TestService, patient: TestPatient): Promise<string[]> =>
  (
    await service.store.db.query(
      sql<{ name: string }>`
        select resource_type || '/' || source_id as name from resource
        where patient_id = ${patient.id} and resource_type <> 'Person' order by 1`,
    )
  ).map(({ name }) => name);

/** Whom the Person that came from the other service links to. */
const listLinks = async (service: TestService, patient: TestPatient): Promise<string[]> =>
  (
    await service.store.db.query(
      sql<{ body: string }>`
        select body from resource where patient_id = ${patient.id} and resource_type = 'Person'`,
    )
  )
    .flatMap(({ body }) => (JSON.parse(body) as { link: { target: { reference: string } }[] }).link)
    .map(({ target }) => target.reference);

describe('another Chartgate', () => {
  it('is a source: its Person is matched by id, and the whole record comes over, then what is new', async () => {
    const theirs = await newTestPatient(sourceService);
    const observations = Array.from({ length: 450 }, (_, n) => ({
      resourceType: 'Observation',
      id: `o${n}`,
      status: 'final',
      code: { text: 'Potassium' },
      meta: { tag: [HTEST] },
      subject: { reference: `Patient/${n % 2 === 0 ? 'a' : 'b'}` },
      valueQuantity: { value: n },
    }));
    const patients = ['a', 'b'].map((id) => ({
      resourceType: 'Patient',
      id,
      meta: { tag: [HTEST] },
      birthDate: '1970-01-01',
    }));
    await upload(
      sourceService,
      theirs,
      await createArchive({ 'r.json': createBundle(...patients, ...observations) }),
    );

    const mine = await newTestPatient(ownService, { consent: false });
    await ownService.store.db.query(
      sql`update enrollment set external_id = ${theirs.id} where patient_id = ${mine.id}`,
    );
    for (const [service, { id }] of [
      [sourceService, theirs],
      [ownService, mine],
    ] as const)
      await service.store.db.query(sql`update patient set last_name = 'Nowak' where patient_id = ${id}`);
    const token = await getOrganizationToken(ownService);
    const url = `/v1/organizations/${ownService.organization.organizationId}/sources`;
    const { body: source } = await call(ownService, url, {
      token,
      json: {
        name: 'Chartgate',
        baseUrl: `${sourceService.config.http.baseUrl}/FHIR/R4`,
        authentication: { type: 'bearer', secret: await getOrganizationToken(sourceService, 'researcher') },
        matching: { by: 'id' },
        servesTestPatients: true,
      },
    });
    const tested = await call(ownService, `${url}/${source.id as string}/test`, { method: 'POST', token });
    assert.deepEqual([tested.body.ok, tested.body.everything], [true, 'Person'], JSON.stringify(tested.body));

    const waitForSync = async (): Promise<Record<string, unknown>> => {
      for (;;) {
        const { body } = await call(ownService, `${url}/${source.id as string}/syncs`, { token });
        const [sync] = body.results;
        if (sync && (!['waiting', 'running'].includes(sync.state as string) || sync.failures > 0))
          return sync;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await decide(ownService, mine, 'OPTED_IN');
    const first = await waitForSync();
    assert.deepEqual([first['state'], first['code'], first['pages']], ['up_to_date', null, 3]);
    assert.deepEqual(await listStored(ownService, mine), await listStored(sourceService, theirs));

    const more = {
      resourceType: 'Observation',
      id: 'new',
      status: 'final',
      meta: { tag: [HTEST] },
      code: { text: 'Sodium' },
    };
    await upload(sourceService, theirs, await createArchive({ 'n.json': more }));
    await call(ownService, `/v1/patients/${mine.id}/sources/refresh`, { method: 'POST', token: mine.token });
    assert.equal((await waitForSync())['state'], 'up_to_date');
    assert.deepEqual(await listStored(ownService, mine), await listStored(sourceService, theirs));

    await decide(sourceService, theirs, 'OPTED_OUT');
    await call(ownService, `/v1/patients/${mine.id}/sources/refresh`, { method: 'POST', token: mine.token });
    assert.deepEqual(
      [(await waitForSync())['state'], (await waitForSync())['code']],
      ['failed', 'forbidden'],
      'consent there counts too',
    );
  });

  it('is read as a file too: the Person links to the Patients, by their addresses and relatively', async () => {
    const theirs = await newTestPatient(sourceService);
    const patients = ['a', 'b'].map((id) => ({ resourceType: 'Patient', id }));
    await upload(sourceService, theirs, await createArchive({ 'r.json': createBundle(...patients) }));
    const token = await getOrganizationToken(sourceService);
    const { text } = await getRaw(sourceService, `/FHIR/R4/Person/${theirs.id}/$everything`, { token });
    const base = `${sourceService.config.http.baseUrl}/FHIR/R4/Person/${theirs.id}`;
    assert.equal(text.split(`"reference":"${base}/Patient/`).length, 3);
    // As versions before wrote it.
    const relative = text.replaceAll(`"reference":"${base}/`, '"reference":"');
    for (const file of [text, relative]) {
      const mine = await newTestPatient(ownService);
      await upload(ownService, mine, await createArchive({ 'everything.json': file }));
      assert.deepEqual(await listLinks(ownService, mine), ['Patient/a', 'Patient/b']);
    }
  });
});
