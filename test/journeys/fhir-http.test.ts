import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { createArchive, createBundle } from '../harness/archive.ts';
import { recordConsentWithout } from '../harness/consent-record.ts';
import {
  getEverything,
  buildEverythingPath,
  fetchNdjsonLines,
  formatOutcome,
  getRaw,
  type Bundle,
} from '../harness/fhir.ts';
import { HUGE_RESOURCE, ODD_TEXTS, buildOddRecord } from '../harness/odd-record.ts';
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

let service: TestService;
let patient: TestPatient;
let partner: { id: string; token: string };
before(async () => {
  service = await startTestService();
  patient = await newTestPatient(service);
  partner = { id: patient.id, token: await getOrganizationToken(service) };
  await upload(service, patient, await createArchive(buildOddRecord()));
});
after(() => service.stop());

const buildPath = (query = ''): string => buildEverythingPath(patient.id, query);

interface WireResponse {
  status: number | undefined;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
}

/** Without a client that decodes or adds anything. */
const requestWire = (url: string, headers: Record<string, string>): Promise<WireResponse> =>
  new Promise((done, fail) => {
    const authorization = `Bearer ${partner.token}`;
    http
      .get(service.baseUrl + url, { headers: { authorization, ...headers } }, (response) => {
        void response.toArray().then((chunks) => {
          const { statusCode: status, headers } = response;
          done({ status, headers, bytes: Buffer.concat(chunks as Buffer[]) });
        }, fail);
      })
      .on('error', fail);
  });

describe('the bytes of a record', () => {
  it('are in a Bundle as they were uploaded, whatever digits, escapes and line breaks they have', async () => {
    const { text } = await getRaw(service, buildPath(), { token: partner.token });
    JSON.parse(text);
    for (const [name, uploaded] of Object.entries(buildOddRecord()))
      assert.ok(text.includes(`"resource":${uploaded}}`), name);
  });

  it('are the same when a resource is read alone', async () => {
    for (const uploaded of [...Object.values(ODD_TEXTS), HUGE_RESOURCE]) {
      const { resourceType, id } = JSON.parse(uploaded) as { resourceType: string; id: string };
      const { text, headers } = await getRaw(service, `/FHIR/R4/${resourceType}/${id}`, {
        token: partner.token,
      });
      assert.equal(text, uploaded);
      assert.match(headers.get('content-type') ?? '', /^application\/fhir\+json/);
    }
  });

  it('are one line each as NDJSON, with the same tokens, and no reader finds another line end in them', async () => {
    const lines = await fetchNdjsonLines(service, partner);
    const returned = new Set(lines);
    for (const [name, uploaded] of Object.entries(buildOddRecord()))
      assert.ok(returned.has(uploaded.replace(/[\r\n]/g, ' ')), name);
    assert.ok(!lines.some((line) => line.includes('\r')));
    assert.equal(lines.length, Object.keys(buildOddRecord()).length + 1);
  });

  it('come packed as the client asks, and are the same unpacked', async () => {
    const plain = (await requestWire(buildPath('_count=20'), {})).bytes.toString();
    const state = new URL((JSON.parse(plain) as Bundle).link[0]?.url ?? '');
    const unpack: Record<string, (bytes: Buffer) => Buffer> = {
      gzip: gunzipSync,
      br: brotliDecompressSync,
      zstd: zstdDecompressSync,
    };
    for (const accept of ['application/fhir+json', 'application/fhir+ndjson']) {
      const asItIs = await requestWire(state.pathname + state.search, {
        accept,
        'accept-encoding': 'identity',
      });
      assert.equal(asItIs.headers['content-encoding'], undefined);
      for (const [encoding, decode] of Object.entries(unpack)) {
        const packed = await requestWire(state.pathname + state.search, {
          accept,
          'accept-encoding': encoding,
        });
        assert.equal(packed.headers['content-encoding'], encoding);
        assert.match(String(packed.headers.vary), /accept-encoding/i);
        assert.ok(packed.bytes.length < asItIs.bytes.length / 2);
        assert.equal(decode(packed.bytes).toString(), asItIs.bytes.toString(), `${accept} ${encoding}`);
      }
    }
    const weighed = await requestWire(buildPath(), { 'accept-encoding': 'zstd;q=0, br;q=0.2, gzip;q=0.9' });
    assert.equal(weighed.headers['content-encoding'], 'gzip');
    const never = await requestWire(buildPath(), { 'accept-encoding': 'identity;q=0, gzip' });
    assert.equal(never.headers['content-encoding'], 'gzip');
    const other = await requestWire(buildPath(), { 'accept-encoding': 'gzip;q=0, *' });
    assert.equal(other.headers['content-encoding'], 'br');
    const unknown = await requestWire(buildPath(), { 'accept-encoding': 'compress' });
    assert.deepEqual([unknown.status, unknown.headers['content-encoding']], [200, undefined]);
  });
});

describe('what a client may ask for', () => {
  it('is refused with an OperationOutcome that names the parameter, and never quotes it', async () => {
    const bad: Record<string, string[]> = {
      _count: ['-1', '1.5', '', 'ten', '1e3', '0x10', '+5', ' 5', '１０', '99999999999999999999', 'NaN'],
      _offset: ['-1', '2.0', '', 'null', '1000000000'],
      _type: ['', ',', 'Patient,', 'patient', 'Foo', 'Patient,Foo', 'Patient;Person', '*', 'constructor'],
      _since: [
        '',
        'yesterday',
        '2026-13-01',
        '2026-02-30',
        '2023-02-29',
        '2026-1-1',
        '20260101',
        '2026-01-01T25:00:00Z',
        '2026-01-01T10',
        '2026-01-01 10:00:00Z',
        '2026-01-01T10:00:00+15:00',
        '0000-01-01',
        '0001-01-01T00:00:00%2B14:00',
        '9999-12-31T23:59:59-14:00',
        '1700000000',
        "2026-01-01'--",
        '2026-01-01T00:00:00Z%00',
      ],
      _state: [
        '',
        'now',
        '2026-01-01',
        '2999-01-01T00:00:00.000Z',
        '0000-01-01T00:00:00.000Z',
        '2026-99-01T00:00:00.000Z',
      ],
      start: ['', 'today', '2026-13', '2026-02-30', '2026-01-01T00:00:00Z', '20260101', 'ge2026', '0000'],
      end: ['', '2026-00', '31.12.2026', "2026'--"],
      _after: ['-1', '', 'x', '1;drop table resource'],
      _total: ['-1', 'many', '1e9'],
    };
    for (const [name, values] of Object.entries(bad))
      for (const value of values) {
        const said = value.includes('%') ? value : encodeURIComponent(value);
        const answer = await getEverything(service, partner, `${name}=${said}`);
        assert.equal(answer.status, 400, `${name}=${value}: ${JSON.stringify(answer.body)}`);
        assert.match(formatOutcome(answer), new RegExp(`^invalid ${name}: `), `${name}=${value}`);
        assert.deepEqual(answer.body.issue[0].expression, [`http.${name}`]);
        if (value.length > 6) assert.ok(!JSON.stringify(answer.body).includes(value), value);
        assert.match(answer.headers.get('content-type') ?? '', /^application\/fhir\+json/);
      }
  });

  it('is refused when it is said twice, and all faults are named at once', async () => {
    const names = [
      '_count',
      '_offset',
      '_type',
      '_since',
      'start',
      'end',
      '_format',
      '_state',
      '_after',
      '_total',
    ];
    for (const name of names)
      assert.match(
        formatOutcome(await getEverything(service, partner, `${name}=1&${name}=1`)),
        new RegExp(name === '_type' ? '^invalid _type: ' : `^invalid ${name}: may be given once$`),
      );
    const { body } = await getEverything(service, partner, '_count=1&_count=1&_since=a&_since=a');
    assert.deepEqual(
      body.issue.map(({ expression }: { expression: string[] }) => expression[0]),
      ['http._count', 'http._since'],
    );
  });

  it('is named with what it takes: _total, which is no number', async () => {
    const answer = await getEverything(service, partner, '_total=foo');
    assert.equal(formatOutcome(answer), 'invalid _total: must be none, estimate or accurate');
  });

  it('may be a time of any precision and zone, and a plus sign that nobody encoded', async () => {
    const good = ['2020', '2020-02', '2020-02-29', '2020-02-29T10:00', '2020-02-29T10:00:00.123456789Z'];
    for (const since of [...good, '2020-02-29T10:00:00%2B02:00', '2020-02-29T10:00:00+02:00', '0001-01-01'])
      assert.equal(
        (await getEverything(service, partner, `_count=1&_since=${since}`)).body.total > 20,
        true,
        since,
      );
    const { body } = await getEverything(service, partner, '_count=1&_since=2020-02-29T10:00:00+02:00');
    for (const { url } of (body as Bundle).link)
      assert.equal(new URL(url).searchParams.get('_since'), '2020-02-29T10:00:00+02:00');
    assert.equal((await getEverything(service, partner, '_since=9999-12-31')).body.total, 0);
  });

  it('may hold parameters that are not known, and types twice', async () => {
    const { body } = await getEverything(service, partner, '_type=Condition,Condition,%20Patient&unknown=1');
    assert.equal(body.total, 2);
  });

  it('for lines may hold no count of 0, and nothing of pages where handling is strict', async () => {
    const ask = async (query: string, prefer: string) => {
      const headers = { accept: 'application/fhir+ndjson', prefer };
      const answer = await getRaw(service, buildPath(query), { token: partner.token, headers });
      return {
        ...answer,
        outcome: answer.status === 200 ? '' : formatOutcome({ body: JSON.parse(answer.text) }),
      };
    };
    const listReads = async (): Promise<unknown[]> => {
      const log = `/v1/patients/${patient.id}/access-log`;
      return (await call(service, log, { token: patient.token })).body.results as unknown[];
    };
    const before = await listReads();
    for (const prefer of ['handling=lenient', 'handling=strict', '']) {
      const { status, outcome } = await ask('_count=0', prefer);
      assert.equal(status, 400);
      assert.match(outcome, /_count/);
    }
    for (const query of ['_count=5', '_offset=1', '_total=none'])
      assert.match(
        (await ask(query, 'handling=strict')).outcome,
        new RegExp(`^not-supported .*${query.split('=')[0]}`),
      );
    assert.equal((await ask('_count=-1', '')).status, 400);
    assert.deepEqual(await listReads(), before);
    const whole = (await ask('_type=Patient', 'handling=strict')).text;
    assert.equal((await ask('_type=Patient&_count=1&_offset=1', 'handling=lenient')).text, whole);
  });

  it('of a read may hold nothing but `_format` where handling is strict', async () => {
    const person = `/FHIR/R4/Person/${patient.id}`;
    const read = async (path: string, prefer: string) =>
      (await getRaw(service, path, { token: partner.token, headers: { prefer } })).status;
    for (const path of [person, '/FHIR/R4/metadata']) {
      assert.equal(await read(`${path}?_elements=id`, 'handling=lenient'), 200, path);
      assert.equal(await read(`${path}?_elements=id`, 'handling=strict'), 400, path);
      assert.equal(await read(`${path}?_format=json`, 'handling=strict'), 200, path);
    }
  });

  it('names somebody else where a patient’s own token asks for what is no id', async () => {
    const path = '/FHIR/R4/Person/notuuid/$everything';
    const { text } = await getRaw(service, path, { token: patient.token, headers: {} });
    assert.match(text, /is not the one of this token/);
  });

  it('has a body of the content type that the refusal of another one names', async () => {
    const uploads = `/v1/patients/${patient.id}/upload-documents`;
    for (const [path, type, token, status] of [
      ['/mcp', 'application/json', patient.token, 415],
      // RFC 6749 §5.2 has 400 for all of them.
      ['/oauth/register', 'application/json', null, 400],
      ['/oauth/token', 'application/x-www-form-urlencoded', null, 400],
      [buildPath(), 'application/fhir+json', partner.token, 415],
      [uploads, 'multipart/form-data', patient.token, 415],
    ] as const) {
      const response = await fetch(service.baseUrl + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/zip',
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
        body: 'PK',
      });
      assert.deepEqual([response.status, response.headers.get('accept')], [status, type], path);
      assert.ok((await response.text()).includes(type), path);
    }
  });

  it('is a form that is served: by Accept, by _format, else 406', async () => {
    const forms: [string, string | null][] = [
      ['application/json', 'json'],
      ['application/fhir+json; fhirVersion=4.0', 'json'],
      ['*/*', 'json'],
      ['', 'json'],
      ['text/html, application/xhtml+xml, */*;q=0.1', 'json'],
      ['application/fhir+xml, application/fhir+json;q=0.5', 'json'],
      ['application/fhir+json;q=0.1, application/fhir+ndjson', 'ndjson'],
      ['application/x-ndjson', 'ndjson'],
      ['application/fhir+xml', null],
      ['text/html', null],
      ['application/json;q=0', null],
      ['application/fhir+json; fhirVersion=4.0.1', 'json'],
      ['application/fhir+json; fhirVersion="4.0"', 'json'],
      ['application/fhir+json; fhirVersion=3.0', null],
      ['application/fhir+json; fhirVersion=5.0, application/fhir+ndjson; fhirVersion=4.0', 'ndjson'],
    ];
    const getForm = ({ headers }: { headers: Headers }): string | undefined =>
      /^application\/fhir\+(\w+)/.exec(headers.get('content-type') ?? '')?.[1];
    for (const [accept, form] of forms) {
      const answer = await getRaw(service, buildPath('_count=1&_type=Patient'), {
        token: partner.token,
        headers: { accept },
      });
      assert.equal(answer.status, form === null ? 406 : 200, accept);
      if (form !== null) assert.equal(getForm(answer), form, accept);
      else assert.match(formatOutcome({ body: JSON.parse(answer.text) }), /^not-supported /);
    }
    const headers = { accept: 'text/html' };
    for (const [format, form] of [
      ['json', 'json'],
      ['application/fhir%2Bndjson', 'ndjson'],
      ['application/fhir+json', 'json'],
    ] as const)
      assert.equal(
        getForm(await getRaw(service, buildPath(`_format=${format}`), { token: partner.token, headers })),
        form,
      );
    assert.equal((await getEverything(service, partner, '_format=xml')).status, 406);
    for (const url of ['/FHIR/R4/metadata', `/FHIR/R4/Person/${patient.id}`, '/FHIR/R4/Patient/p'])
      for (const accept of ['application/fhir+xml', 'application/fhir+ndjson'])
        assert.equal(
          (await call(service, url, { token: partner.token, headers: { accept } })).status,
          406,
          url,
        );
  });
});

interface Capable {
  type: string;
  interaction: { code: string }[];
  operation?: { name: string }[];
}

describe('the FHIR server', () => {
  it('answers HEAD as GET without a body', async () => {
    for (const url of [
      buildPath(),
      '/FHIR/R4/Patient/p',
      `/FHIR/R4/Person/${patient.id}`,
      '/FHIR/R4/metadata',
    ]) {
      const { status, headers, text } = await getRaw(service, url, { token: partner.token, method: 'HEAD' });
      assert.deepEqual([status, text], [200, ''], url);
      assert.match(headers.get('content-type') ?? '', /^application\/fhir\+json/);
      // That of the answer by GET, or none (RFC 9110 §9.3.2).
      const length = headers.get('content-length');
      const { text: whole } = await getRaw(service, url, { token: partner.token });
      if (url === buildPath()) assert.equal(length, null);
      else assert.equal(Number(length), Buffer.byteLength(whole), url);
    }
    assert.equal(
      (await getRaw(service, buildPath('_count=x'), { token: partner.token, method: 'HEAD' })).status,
      400,
    );
  });

  it('tags a resource, and answers 304 where the caller has it, once the read is permitted and in the log', async () => {
    const partners = await newTestPatient(service);
    const file = (text: string): Promise<Buffer> =>
      createArchive({ 'c.json': { resourceType: 'Condition', id: 'tagged', code: { text } } });
    await upload(service, partners, await file('Gout'));
    const countReads = async (): Promise<number> => {
      const { body } = await call(service, `/v1/patients/${partners.id}/access-log`, {
        token: partners.token,
      });
      return (body.results as { action: string }[]).filter(({ action }) => action === 'fhir.read').length;
    };
    const read = (etag?: string, token = partner.token) =>
      getRaw(service, `/FHIR/R4/Person/${partners.id}/Condition/tagged`, {
        token,
        ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
      });
    const etag = (await read()).headers.get('etag') ?? '';
    assert.match(etag, /^W\/"[\w-]+"$/);
    const before = await countReads();
    const same = await read(etag);
    assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag]);
    assert.equal(await countReads(), before + 1);
    await upload(service, partners, await file('Gout no more'));
    const changed = await read(etag);
    assert.deepEqual([changed.status, changed.headers.get('etag') === etag], [200, false]);
    await decide(service, partners, 'OPTED_OUT');
    assert.equal((await read(changed.headers.get('etag') ?? '')).status, 403);
    for (const url of ['/FHIR/R4/metadata', `/FHIR/R4/Person/${patient.id}`]) {
      const tag = (await getRaw(service, url, { token: partner.token })).headers.get('etag') ?? '';
      const headers = { 'if-none-match': tag };
      assert.equal((await getRaw(service, url, { token: partner.token, headers })).status, 304, url);
    }
  });

  it('case 509: have the tag of what is shown: what is withheld changes none, and each consent has its own', async () => {
    const narrowed = await newTestPatient(service);
    const visit = (reason: string) => ({
      resourceType: 'Encounter',
      id: 'visited',
      status: 'finished',
      class: { code: 'AMB' },
      reasonReference: [{ reference: `Condition/${reason}`, display: reason }],
    });
    const reasons = ['gout', 'asthma'].map((id) => ({
      resourceType: 'Condition',
      id,
      code: { text: id },
    }));
    const readTag = async (): Promise<string> => {
      const url = `/FHIR/R4/Person/${narrowed.id}/Encounter/visited`;
      const answer = await getRaw(service, url, { token: partner.token });
      assert.equal(answer.status, 200);
      return answer.headers.get('etag') ?? '';
    };
    const tags: Record<string, string[]> = { all: [], part: [] };
    for (const reason of ['gout', 'asthma']) {
      await upload(
        service,
        narrowed,
        await createArchive({ 'a.json': visit(reason), 'b.json': createBundle(...reasons) }),
      );
      await decide(service, narrowed, 'OPTED_IN');
      tags['all']?.push(await readTag());
      await recordConsentWithout(service, narrowed, 'DIAGNOSES');
      tags['part']?.push(await readTag());
    }
    assert.equal(new Set(tags['all']).size, 2);
    assert.equal(new Set(tags['part']).size, 1);
    assert.equal(new Set(Object.values(tags).flat()).size, 3);
  });

  it('answers other methods with 405 and Allow, and what is not there with 404, as OperationOutcomes', async () => {
    for (const url of [
      buildPath(),
      '/FHIR/R4/Patient/p',
      `/FHIR/R4/Person/${patient.id}`,
      '/FHIR/R4/metadata',
    ])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const isOperation = url.endsWith('$everything');
        if (isOperation && method === 'POST') continue;
        const answer = await call(service, url, { method, token: partner.token });
        assert.equal(answer.status, 405, `${method} ${url}`);
        assert.equal(answer.headers.get('allow'), isOperation ? 'GET, POST, HEAD' : 'GET, HEAD');
        assert.match(formatOutcome(answer), /^not-supported /);
      }
    const nowhere = [
      '/FHIR/R4',
      '/FHIR',
      '/FHIR/R5/metadata',
      '/FHIR/R4/Patient',
      '/FHIR/R4/Patient/p/_history/1',
    ];
    for (const url of [...nowhere, '/FHIR/R4/Nothing/p', '/FHIR/R4/Patient/none'])
      for (const token of [partner.token, patient.token]) {
        const answer = await call(service, url, { token });
        assert.equal(answer.status, 404, `${url} ${JSON.stringify(answer.body)}`);
        assert.match(formatOutcome(answer), /^not-found /, url);
      }
    for (const url of [`${buildPath()}/`, `/FHIR/R4/Person/${patient.id}/`, '/FHIR/R4/Patient/']) {
      const answer = await call(service, url, { token: partner.token });
      assert.match(formatOutcome(answer), /^not-found There is nothing at this path/, url);
    }
    const asked = await call(service, '/FHIR/R4/Nothing', { method: 'OPTIONS' });
    assert.match(formatOutcome(asked), /^not-found /);
    // The router would answer these by itself: in its own words, and without our headers.
    for (const url of ['/FHIR/R4/Person/%ff/x', '/FHIR/%', `/FHIR/R4/Person/%zz/$everything`])
      for (const token of [partner.token, undefined]) {
        const answer = await call(service, url, { token });
        assert.equal(answer.status, 400, url);
        assert.match(formatOutcome(answer), /^invalid The path/);
        assert.match(answer.headers.get('content-type') ?? '', /^application\/fhir\+json/);
        for (const name of ['x-content-type-options', 'referrer-policy', 'cache-control'])
          assert.ok(answer.headers.has(name), name);
      }
    const malformed = await call(service, '/v1/patients/%ff/consents');
    assert.deepEqual([malformed.status, malformed.body.code], [400, 'invalid_url']);
    assert.match(malformed.headers.get('content-type') ?? '', /^application\/problem\+json/);
    const long = `/FHIR/R4/Person/${'x'.repeat(500)}/$everything`;
    assert.match(formatOutcome(await call(service, long, { token: partner.token })), /^forbidden /);
    const nul = await call(service, '/FHIR/R4/Patient/%00', { token: partner.token });
    assert.match(formatOutcome(nul), /^invalid resourceId: /);
    for (const id of ['none', 'x'.repeat(64), "'or 1=1", `${patient.id}x`])
      for (const url of [
        `/FHIR/R4/Person/${id}/$everything`,
        `/FHIR/R4/Person/${id}`,
        `/FHIR/R4/Person/${id}/Patient/p`,
      ])
        assert.match(formatOutcome(await call(service, url, { token: partner.token })), /^forbidden /, url);
  });

  it('says to anyone what it can do, which is what it does', async () => {
    const { status, body } = await call(service, '/FHIR/R4/metadata');
    assert.equal(status, 200);
    assert.deepEqual(
      [body.resourceType, body.fhirVersion, body.kind],
      ['CapabilityStatement', '4.0.1', 'instance'],
    );
    assert.equal(body.implementation.url, `${service.baseUrl}/FHIR/R4`);
    for (const format of body.format as string[]) {
      const { status: served, headers } = await getRaw(service, buildPath(), {
        token: partner.token,
        headers: { accept: format },
      });
      assert.equal(served, 200);
      assert.ok(headers.get('content-type')?.startsWith(format));
    }
    const [{ resource }] = body.rest as [{ resource: Capable[] }];
    assert.ok(resource.every(({ interaction }) => interaction.map(({ code }) => code).join() === 'read'));
    const operations = resource.flatMap(({ type, operation = [] }) =>
      operation.map(({ name }) => `${type} ${name}`),
    );
    assert.deepEqual(operations, ['Patient everything', 'Person everything']);
    const named = new Set(resource.map(({ type }) => type));
    for (const uploaded of Object.values(buildOddRecord()))
      assert.ok(named.has((JSON.parse(uploaded) as { resourceType: string }).resourceType));
    assert.ok(!JSON.stringify(body).includes('[]'), 'FHIR knows no empty arrays');
  });
});
