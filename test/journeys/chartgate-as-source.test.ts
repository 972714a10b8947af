import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { egress } from '../../server/egress/egress.ts';
import { sql } from '../../server/storage/sql.ts';
import { archiveOf, bundleOf } from '../harness/archive.ts';
import { freePort } from '../harness/postgres.ts';
import {
  call,
  decide,
  newTestPatient,
  organizationToken,
  testService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { certificate, tlsServer, type Listener } from '../harness/tls/server.ts';

/** A whole second service, behind TLS under a name. */
let there: TestService;
let proxy: Listener;
let here: TestService;

before(async () => {
  const port = await freePort();
  proxy = await tlsServer((request, response) => {
    const { method, url: path, headers } = request;
    request.pipe(
      http.request({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  const url = `https://chart.agent.example:${proxy.port}`;
  there = await testService({
    environment: {
      PORT: String(port),
      CHARTGATE_BASE_URL: url,
      CHARTGATE_ALLOWED_HOSTS: `127.0.0.1:${port}`,
    },
  });
  // The harness's own calls go straight to it.
  there.baseUrl = `http://127.0.0.1:${port}`;
  here = await testService({
    environment: { CHARTGATE_SOURCES_ALLOW_PRIVATE: '1' },
    egress: egress({
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      permits: (address) => address === '127.0.0.1',
      ca: certificate,
    }),
  });
});
after(async () => {
  await here.stop();
  await there.stop();
  await proxy.stop();
});

const held = async (service: TestService, patient: TestPatient): Promise<string[]> =>
  (
    await service.store.db.query(
      sql<{ name: string }>`
        select resource_type || '/' || source_id as name from resource
        where patient_id = ${patient.id} and resource_type <> 'Person' order by 1`,
    )
  ).map(({ name }) => name);

describe('another Chartgate', () => {
  it('is a source: its Person is matched by id, and the whole record comes over, then what is new', async () => {
    const theirs = await newTestPatient(there);
    const observations = Array.from({ length: 450 }, (_, n) => ({
      resourceType: 'Observation',
      id: `o${n}`,
      status: 'final',
      code: { text: 'Potassium' },
      subject: { reference: `Patient/${n % 2 === 0 ? 'a' : 'b'}` },
      valueQuantity: { value: n },
    }));
    const patients = ['a', 'b'].map((id) => ({ resourceType: 'Patient', id, birthDate: '1970-01-01' }));
    await upload(there, theirs, await archiveOf({ 'r.json': bundleOf(...patients, ...observations) }));

    const mine = await newTestPatient(here, { consent: false });
    await here.store.db.query(
      sql`update enrollment set external_id = ${theirs.id} where patient_id = ${mine.id}`,
    );
    const token = await organizationToken(here);
    const url = `/v1/organizations/${here.organization.organizationId}/sources`;
    const { body: source } = await call(here, url, {
      token,
      json: {
        name: 'Chartgate',
        baseUrl: `${there.config.baseUrl}/FHIR/R4`,
        authentication: { type: 'bearer', secret: await organizationToken(there, 'researcher') },
        matching: { by: 'id' },
      },
    });
    const tested = await call(here, `${url}/${source.id as string}/test`, { method: 'POST', token });
    assert.deepEqual([tested.body.ok, tested.body.everything], [true, 'Person'], JSON.stringify(tested.body));

    const ended = async (): Promise<Record<string, unknown>> => {
      for (;;) {
        const { body } = await call(here, `${url}/${source.id as string}/syncs`, { token });
        const [sync] = body.results;
        if (sync && (!['waiting', 'running'].includes(sync.state as string) || sync.failures > 0))
          return sync;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await decide(here, mine, 'OPTED_IN');
    const first = await ended();
    assert.deepEqual([first['state'], first['code'], first['pages']], ['up_to_date', null, 3]);
    assert.deepEqual(await held(here, mine), await held(there, theirs));

    const more = { resourceType: 'Observation', id: 'new', status: 'final', code: { text: 'Sodium' } };
    await upload(there, theirs, await archiveOf({ 'n.json': more }));
    await call(here, `/v1/patients/${mine.id}/sources/refresh`, { method: 'POST', token: mine.token });
    assert.equal((await ended())['state'], 'up_to_date');
    assert.deepEqual(await held(here, mine), await held(there, theirs));

    await decide(there, theirs, 'OPTED_OUT');
    await call(here, `/v1/patients/${mine.id}/sources/refresh`, { method: 'POST', token: mine.token });
    assert.deepEqual(
      [(await ended())['state'], (await ended())['code']],
      ['failed', 'forbidden'],
      'consent there counts too',
    );
  });
});
