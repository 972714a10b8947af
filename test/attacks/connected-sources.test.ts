import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import {
  buildBundle,
  startFakeFhirServer,
  sendOutcome,
  send,
  type FhirRequest,
  type FakeFhirServer,
} from '../harness/fake-fhir-server.ts';
import {
  call,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';

let ehr: FakeFhirServer;
let service: TestService;
let admin: string;
let patient: TestPatient;
let source: string;

const KiB = 1024;

before(async () => {
  ehr = await startFakeFhirServer();
  service = await startTestService({
    outbound: ehr.outboundClient,
    environment: { CHARTGATE_SOURCES_ALLOW_PRIVATE: '1' },
    sourceLimits: { firstRequestMs: 60_000, pageBytes: 64 * KiB, bytes: 200 * KiB, pages: 20 },
  });
  admin = await getOrganizationToken(service);
  patient = await newTestPatient(service);
  await service.store.db.query(
    sql`update enrollment set external_id = 'p1' where patient_id = ${patient.id}`,
  );
  await service.store.db.query(sql`update patient set last_name = 'Byron' where patient_id = ${patient.id}`);
  source = (await createSource({})).body.id as string;
});
after(async () => {
  await service.stop();
  await ehr.stop();
});
beforeEach(async () => {
  ehr.requests = [];
  ehr.options.everything = true;
  ehr.resources = [ADA, observation('o', 'p1')];
  ehr.intercept = () => false;
  ehr.findPatience = () => null;
  await service.store.db.query(sql`delete from source_sync`);
  await service.store.db.query(sql`delete from job where kind = 'source.sync'`);
});

const ADA = JSON.stringify({
  resourceType: 'Patient',
  id: 'p1',
  birthDate: '1970-01-01',
  name: [{ family: 'Byron' }],
});

const observation = (id: string, of: string, more: object = {}): string =>
  JSON.stringify({
    resourceType: 'Observation',
    id,
    status: 'final',
    code: { text: 'x' },
    subject: { reference: `Patient/${of}` },
    ...more,
  });

const getSourcesPath = (): string => `/v1/organizations/${service.organization.organizationId}/sources`;

const createSource = (more: object): Promise<HttpResponse> =>
  call(service, getSourcesPath(), {
    token: admin,
    json: { name: 'Hospital', baseUrl: ehr.base, matching: { by: 'id' }, servesTestPatients: true, ...more },
  });

/** After one sync: what it has come to. */
async function synchronize(): Promise<HttpResponse['body']> {
  const json = { patientId: patient.id };
  assert.equal(
    (await call(service, `${getSourcesPath()}/${source}/sync`, { token: admin, json })).status,
    202,
  );
  let sync: HttpResponse['body'];
  await waitUntil('the fetch ends', async () => {
    const { body } = await call(service, `${getSourcesPath()}/${source}/syncs`, { token: admin });
    [sync] = body.results as HttpResponse['body'][];
    return sync.state !== 'running' && (sync.state !== 'waiting' || sync.failures > 0);
  });
  return sync;
}

const countBatches = async (): Promise<number> =>
  (await call(service, `/v1/patients/${patient.id}/upload-documents`, { token: patient.token })).body.results
    .length as number;

/** What answers the asking for the record. */
const respondWithRecord =
  (answer: (asked: FhirRequest, response: ServerResponse) => void): FakeFhirServer['intercept'] =>
  (asked, response) => {
    if (!asked.path.includes('$everything') && !asked.query.has('_getpages')) return false;
    answer(asked, response);
    return true;
  };

const buildPage = (texts: string[], next: string): string =>
  buildBundle(texts, [{ relation: 'next', url: next }], ehr.base);

const FAULTS: Record<string, { code: string; instead: () => FakeFhirServer['intercept'] }> = {
  'whose page leads to itself': {
    code: 'endless_paging',
    instead: () =>
      respondWithRecord(({ path }, response) => send(response, buildPage([ADA], ehr.base + path))),
  },
  'whose pages go round': {
    code: 'endless_paging',
    instead: () => {
      let n = 0;
      return respondWithRecord((_, response) =>
        send(response, buildPage([observation(`o${n++ % 2}`, 'p1')], `${ehr.base}?_getpages=x&n=${n}`)),
      );
    },
  },
  'whose pages go on for ever, each another one': {
    code: 'endless_paging',
    instead: () => {
      let n = 0;
      return respondWithRecord((_, response) =>
        send(response, buildPage([observation(`o${n++}`, 'p1')], `${ehr.base}?_getpages=x&n=${n}`)),
      );
    },
  },
  'whose empty pages go on for ever': {
    code: 'endless_paging',
    instead: () => {
      let n = 0;
      return respondWithRecord((_, response) =>
        send(response, buildPage([], `${ehr.base}?_getpages=x&n=${n++}`)),
      );
    },
  },
  'whose next page is at another host': {
    code: 'paging_elsewhere',
    instead: () =>
      respondWithRecord((_, response) =>
        send(response, buildPage([ADA], 'https://evil.agent.example/fhir?_getpages=1')),
      ),
  },
  'whose next page is at another port': {
    code: 'paging_elsewhere',
    instead: () =>
      respondWithRecord((_, response) =>
        send(response, buildPage([ADA], 'https://ehr.agent.example/fhir?_getpages=1')),
      ),
  },
  'whose next page is beside its base': {
    code: 'paging_elsewhere',
    instead: () =>
      respondWithRecord((_, response) =>
        send(response, buildPage([ADA], `${ehr.base}/../admin?_getpages=1`)),
      ),
  },
  'whose next page is a file': {
    code: 'paging_elsewhere',
    instead: () => respondWithRecord((_, response) => send(response, buildPage([ADA], 'file:///etc/passwd'))),
  },
  'that sends somebody else’s observation': {
    code: 'wrong_patient',
    instead: () =>
      respondWithRecord((_, response) =>
        send(response, buildBundle([ADA, observation('mine', 'p1'), observation('theirs', 'p2')])),
      ),
  },
  'that sends somebody else as well': {
    code: 'wrong_patient',
    instead: () =>
      respondWithRecord((_, response) => send(response, buildBundle([ADA, ADA.replace('"p1"', '"p2"')]))),
  },
  'that names somebody else by an absolute, versioned reference': {
    code: 'wrong_patient',
    instead: () =>
      respondWithRecord((_, response) => {
        const subject = { reference: 'https://elsewhere.example/fhir/Patient/p2/_history/3' };
        send(response, buildBundle([ADA, observation('o', 'p1', { subject })]));
      }),
  },
  'that names two owners': {
    code: 'wrong_patient',
    instead: () =>
      respondWithRecord((_, response) =>
        send(response, buildBundle([observation('o', 'p1', { patient: { reference: 'Patient/p2' } })])),
      ),
  },
  'whose page is too large': {
    code: 'answer_too_large',
    instead: () =>
      respondWithRecord((_, response) =>
        send(response, buildBundle([observation('o', 'p1', { note: 'x'.repeat(70_000) })])),
      ),
  },
  'whose pages are too large together': {
    code: 'too_large',
    instead: () => {
      let n = 0;
      return respondWithRecord((_, response) =>
        send(
          response,
          buildPage(
            [observation(`o${n++}`, 'p1', { note: 'x'.repeat(50_000) })],
            `${ehr.base}?_getpages=x&n=${n}`,
          ),
        ),
      );
    },
  },
  'that redirects': {
    code: 'redirected',
    instead: () =>
      respondWithRecord((_, response) =>
        response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data' }).end(),
      ),
  },
  'that answers with a page for people': {
    code: 'not_fhir',
    instead: () =>
      respondWithRecord((_, response) => send(response, '<html>Sign in</html>', { type: 'text/html' })),
  },
  'that calls a page for people FHIR': {
    code: 'not_fhir',
    instead: () => respondWithRecord((_, response) => send(response, '<html>Sign in</html>')),
  },
  'that sends another kind of resource': {
    code: 'not_fhir',
    instead: () => respondWithRecord((_, response) => send(response, ADA)),
  },
  'that reports an error among its matches': {
    code: 'operation_outcome',
    instead: () => {
      const issue = { severity: 'error', code: 'incomplete' };
      const outcomeText = JSON.stringify({ resourceType: 'OperationOutcome', id: 'x', issue: [issue] });
      ehr.options.everything = false;
      return ({ path }, response) => {
        if (path !== '/Observation') return path.includes('everything') && (sendOutcome(response, 404), true);
        send(response, buildBundle([observation('o', 'p1'), outcomeText]));
        return true;
      };
    },
  },
  'that signs nobody in': {
    code: 'unauthorized',
    instead: () => respondWithRecord((_, response) => sendOutcome(response, 401)),
  },
  'that speaks another release': {
    code: 'not_r4',
    instead:
      () =>
      ({ path }, response) =>
        path === '/metadata' &&
        (send(response, { resourceType: 'CapabilityStatement', fhirVersion: '5.0.0' }), true),
  },
};

describe('a connected server', () => {
  for (const [sentence, { code, instead }] of Object.entries(FAULTS)) {
    it(`${sentence} is reported as ${code}, gets no more requests, and nothing of it is stored`, async () => {
      ehr.intercept = instead();
      const before = await countBatches();
      const sync = await synchronize();
      assert.deepEqual([sync.state, sync.code], ['failed', code]);
      assert.equal(await countBatches(), before);
      assert.ok(ehr.requests.length <= 40, `${ehr.requests.length} requests`);
    });
  }

  const PASSING: Record<string, { code: string; instead: () => FakeFhirServer['intercept'] }> = {
    'that fails': {
      code: 'unavailable',
      instead: () => respondWithRecord((_, response) => sendOutcome(response, 500)),
    },
    'that asks us to wait': {
      code: 'too_many_requests',
      instead: () =>
        respondWithRecord((_, response) => response.writeHead(429, { 'retry-after': '40' }).end()),
    },
    'that never answers': { code: 'timeout', instead: () => respondWithRecord(() => undefined) },
    'that answers a byte at a time': {
      code: 'timeout',
      instead: () =>
        respondWithRecord((_, response) => {
          response.writeHead(200, { 'content-type': 'application/fhir+json' });
          const timer = setInterval(() => response.write(' '), 50);
          response.on('close', () => clearInterval(timer));
        }),
    },
    'that breaks off': {
      code: 'malformed_answer',
      instead: () => respondWithRecord((_, response) => send(response, buildBundle([ADA]).slice(0, -2))),
    },
    'that hangs up': {
      code: 'unreachable',
      instead: () => respondWithRecord((_, response) => response.socket?.destroy()),
    },
  };

  for (const [sentence, { code, instead }] of Object.entries(PASSING)) {
    it(`${sentence} is asked again later, and read when it is well`, async () => {
      ehr.intercept = instead();
      if (code === 'timeout') ehr.findPatience = () => 1000;
      const sync = await synchronize();
      assert.deepEqual([sync.state, sync.code, sync.failures], ['waiting', code, 1]);
      ehr.intercept = () => false;
      ehr.findPatience = () => null;
      ehr.requests = [];
      if (code === 'too_many_requests') {
        service.clock.advance(30_000);
        await new Promise((resolve) => setTimeout(resolve, 1200));
        assert.deepEqual(ehr.requests, [], 'not before the time it told');
      }
      service.clock.advance(60_000);
      await waitUntil('the record is fetched', async () => {
        const { body } = await call(service, `${getSourcesPath()}/${source}/syncs`, { token: admin });
        return body.results[0].state === 'up_to_date';
      });
    });
  }

  it('that fails again and again is reported as failed in the end', async () => {
    ehr.intercept = respondWithRecord((_, response) => sendOutcome(response, 503));
    let sync = await synchronize();
    for (let failures = 1; failures <= 5; failures++) {
      assert.deepEqual([sync.state, sync.failures], ['waiting', failures]);
      service.clock.advance(3_700_000);
      await waitUntil('it is tried again', async () => {
        admin = await getOrganizationToken(service);
        const { body } = await call(service, `${getSourcesPath()}/${source}/syncs`, { token: admin });
        [sync] = body.results;
        return sync.state !== 'running' && (sync.failures !== failures || sync.state !== 'waiting');
      });
    }
    assert.deepEqual([sync.state, sync.code], ['failed', 'unavailable']);
  });
});

describe('an address that an administrator names', () => {
  it('is not asked where it is one of ours, unless the operator permits it', async () => {
    const strict = await startTestService();
    try {
      const token = await getOrganizationToken(strict);
      const url = `/v1/organizations/${strict.organization.organizationId}/sources`;
      const ownOnes = [
        'localhost',
        'db',
        'a.localhost',
        '127.0.0.1',
        '2130706433',
        '[::1]',
        '169.254.169.254',
      ];
      for (const baseUrl of ownOnes.map((host) => `https://${host}/fhir`)) {
        const json = { name: 'x', baseUrl, matching: { by: 'id' } };
        const { status, body } = await call(strict, url, { token, json });
        assert.deepEqual(
          [status, body.code, body.errors[0].path],
          [400, 'invalid_input', 'baseUrl'],
          baseUrl,
        );
      }
      const json = { name: 'x', baseUrl: 'https://ehr.example/fhir', matching: { by: 'id' } };
      const { body } = await call(strict, url, { token, json });
      // As one is that was permitted once.
      await strict.store.db.query(sql`update record_source set base_url = 'https://127.0.0.1/fhir'`);
      const tested = await call(strict, `${url}/${body.id as string}/test`, { method: 'POST', token });
      assert.deepEqual([tested.body.ok, tested.body.steps.at(-1).code], [false, 'address_refused']);
    } finally {
      await strict.stop();
    }
  });

  it('must be https, without query, fragment and credentials', async () => {
    for (const baseUrl of [
      'http://ehr.example/fhir',
      'ftp://ehr.example/fhir',
      'https://user:secret@ehr.example/fhir',
      'https://ehr.example/fhir?x=1',
      'https://ehr.example/fhir#x',
      'ehr.example',
    ]) {
      const { status, body } = await createSource({ name: 'Other', baseUrl });
      assert.deepEqual([status, body.code], [400, 'invalid_input'], baseUrl);
    }
  });

  it('has a name of its own, and projects of the organization', async () => {
    const project = await newProject(service);
    const cases: [object, number, string][] = [
      [{ name: 'hospital' }, 409, 'name_taken'],
      [{ name: 'Uploads' }, 409, 'name_taken'],
      [
        { name: 'Fresh', projectIds: [project, '00000000-0000-4000-8000-000000000000'] },
        400,
        'invalid_input',
      ],
      [{ name: 'Fresh', matching: { by: 'magic' } }, 400, 'invalid_input'],
      [{ name: 'Fresh', authentication: { type: 'bearer', secret: 'two words' } }, 400, 'invalid_input'],
    ];
    for (const [json, status, code] of cases) {
      const answer = await createSource(json);
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(json));
    }
  });
});
