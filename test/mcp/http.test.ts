import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { parseMessage, RpcRefusal } from '../../server/surfaces/mcp/protocol/json-rpc.ts';
import {
  call,
  callTool,
  decide,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let patient: TestPatient;
before(async () => {
  service = await startTestService({
    environment: { CHARTGATE_MCP_RATE_LIMIT: '10000', CHARTGATE_LOG_LEVEL: 'silent' },
  });
  patient = await newTestPatient(service);
});
after(() => service.stop());

const buildMessage = (method: string, params?: unknown, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});

/** Sends a request without the headers that `fetch` adds. */
function sendRaw(
  body: string | Buffer,
  {
    headers = {},
    method = 'POST',
    path = '/mcp',
  }: { headers?: Record<string, string>; method?: string; path?: string } = {},
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const request = http.request(service.baseUrl, {
      path,
      method,
      headers: {
        authorization: `Bearer ${patient.token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => (text += String(bytes)));
      response.on('end', () => {
        const headers = new Headers(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        );
        const isJson = /json/.test(headers.get('content-type') ?? '') && text !== '';
        resolve({ status: response.statusCode ?? 0, headers, body: isJson ? JSON.parse(text) : text });
      });
    });
    request.end(body);
  });
}

describe('an invalid message is answered in JSON-RPC', () => {
  const search = { name: 'search', arguments: { query: 'x' } };
  const rows: [what: string, body: unknown, status: number, code: number, id?: unknown][] = [
    ['no body', '', 400, -32700, null],
    ['a body that is no JSON', '{"jsonrpc": "2.0", ', 400, -32700, null],
    ['a body that is not UTF-8', Buffer.from('{"id": "é"}', 'latin1'), 400, -32700, null],
    ['a batch', [buildMessage('ping')], 400, -32600, null],
    ['an empty batch', [], 400, -32600, null],
    ['a text', '"ping"', 400, -32600, null],
    ['null', 'null', 400, -32600, null],
    ['jsonrpc 1.0', { jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32600],
    ['no jsonrpc', { id: 1, method: 'ping' }, 400, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 7 }, 400, -32600],
    ['id null', { jsonrpc: '2.0', id: null, method: 'ping' }, 400, -32600, null],
    ['an object for an id', { jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32600, null],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, 200, -32602],
    ['an unknown method', buildMessage('resources/read'), 200, -32601],
    ['a method of every object', buildMessage('constructor'), 200, -32601],
    ['initialize without params', buildMessage('initialize'), 200, -32602],
    ['tools/list with a cursor that is not ours', buildMessage('tools/list', { cursor: 'x' }), 200, -32602],
    ['tools/list with an empty cursor', buildMessage('tools/list', { cursor: '' }), 200, -32602],
    ['tools/call without a name', buildMessage('tools/call', {}), 200, -32602],
    ['tools/call of an unknown tool', buildMessage('tools/call', { name: 'get_everything' }), 200, -32602],
    [
      'tools/call of a method of every object',
      buildMessage('tools/call', { name: 'constructor' }),
      200,
      -32602,
    ],
    [
      'an unknown argument',
      buildMessage('tools/call', { name: 'search', arguments: { query: 'x', limit: 3 } }),
      200,
      -32602,
    ],
    ['a missing argument', buildMessage('tools/call', { name: 'search', arguments: {} }), 200, -32602],
    [
      'an argument of the wrong type',
      buildMessage('tools/call', { name: 'get_labs', arguments: { years: '3' } }),
      200,
      -32602,
    ],
    [
      'a day that does not exist',
      buildMessage('tools/call', { name: 'get_labs', arguments: { beforeDate: '2025-02-30' } }),
      200,
      -32602,
    ],
    [
      'an unknown vital',
      buildMessage('tools/call', { name: 'get_vitals', arguments: { vitals: ['Mood'] } }),
      200,
      -32602,
    ],
    ['arguments that are no object', buildMessage('tools/call', { ...search, arguments: 'x' }), 200, -32602],
    [
      'both ways of reading notes',
      buildMessage('tools/call', {
        name: 'search_clinical_notes',
        arguments: { query: 'x', encounterId: 'y' },
      }),
      200,
      -32602,
    ],
    [
      'neither way of reading notes',
      buildMessage('tools/call', { name: 'search_clinical_notes', arguments: {} }),
      200,
      -32602,
    ],
  ];
  for (const [what, body, status, code, id = 1] of rows) {
    it(`${what}: HTTP ${status}, ${code}`, async () => {
      const isText = typeof body === 'string' || Buffer.isBuffer(body);
      const answer = await sendRaw(isText ? body : JSON.stringify(body));
      assert.equal(answer.status, status);
      assert.deepEqual([answer.body.jsonrpc, answer.body.id, answer.body.error.code], ['2.0', id, code]);
      assert.equal(typeof answer.body.error.message, 'string');
    });
  }

  it('names what to change in invalid arguments', async () => {
    const ask = async (name: string, input: object): Promise<string> =>
      (await callTool(service, patient, name, input)).body.error.message as string;
    assert.match(await ask('get_labs', { years: -1 }), /get_labs: years must be a number above 0/);
    assert.match(
      await ask('get_labs', { Years: 1 }),
      /no argument "Years"; its arguments are years, beforeDate/,
    );
    assert.match(await ask('get_vitals', { vitals: ['Mood'] }), /Blood Pressure/);
    assert.match(await ask('search_clinical_notes', {}), /give query .* or encounterId/);
  });

  for (const [version, isResult] of [
    ['2024-11-05', false],
    ['2025-06-18', false],
    ['2025-11-25', true],
  ] as const) {
    it(`is ${isResult ? 'a result with isError' : 'an error'} for invalid arguments under ${version}, in the same words`, async () => {
      const message = buildMessage('tools/call', { name: 'get_labs', arguments: { years: -1 } });
      const headers = { 'mcp-protocol-version': version };
      const { status, body } = await sendRaw(JSON.stringify(message), { headers });
      assert.equal(status, 200);
      const text = isResult ? body.result.content[0].text : body.error.message;
      assert.match(text, /^Invalid params: get_labs: years must be a number above 0/);
      assert.deepEqual(
        [body.result?.isError, body.error?.code],
        isResult ? [true, undefined] : [undefined, -32602],
      );
    });
  }

  it('takes optional arguments that are null or empty as absent, and no required or unknown ones', async () => {
    const ask = async (name: string, input: object): Promise<HttpResponse['body']> =>
      (await callTool(service, patient, name, input)).body;
    for (const absent of [null, '']) {
      assert.equal((await ask('get_labs', { years: absent, beforeDate: absent })).result.isError, false);
      assert.equal((await ask('get_vitals', { vitals: absent })).result.isError, false);
      assert.match((await ask('search', { query: absent })).error.message, /search: query /);
      assert.match((await ask('get_labs', { constructor: absent })).error.message, /no argument/);
    }
  });

  it('never echoes the name of an unknown tool', async () => {
    const { body } = await callTool(service, patient, '<script>');
    assert.doesNotMatch(body.error.message, /script/);
  });

  it('a body too large: HTTP 413, -32600', async () => {
    const { status, body } = await sendRaw(
      JSON.stringify(buildMessage('ping', { padding: 'x'.repeat(1024 * 1024) })),
    );
    assert.deepEqual([status, body.error.code], [413, -32600]);
  });

  it('a content type that is not JSON: HTTP 415, -32600', async () => {
    const { status, body } = await sendRaw('{}', { headers: { 'content-type': 'text/plain' } });
    assert.deepEqual([status, body.error.code], [415, -32600]);
  });

  it('an unknown patient: HTTP 200, -32000', async () => {
    const gone = await newTestPatient(service);
    const token = await getOrganizationToken(service);
    await call(service, `/v1/organizations/${service.organization.organizationId}/test-patients/${gone.id}`, {
      method: 'DELETE',
      token,
    });
    const answer = await callTool(service, gone, 'get_labs');
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'Patient context not found' } }],
    );
  });

  it('an internal error: HTTP 200, -32603, without the cause', async () => {
    const { query } = service.store.db;
    service.store.db.query = () => Promise.reject(new Error('relation "secret" does not exist'));
    try {
      const answer = await callTool(service, patient, 'get_labs');
      assert.deepEqual(
        [answer.status, answer.body],
        [200, { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } }],
      );
    } finally {
      service.store.db.query = query;
    }
  });
});

describe('a caller without permission is answered in HTTP', () => {
  const ping = JSON.stringify(buildMessage('ping'));

  it('401 with the challenge that leads to a token, for any invalid token', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer garbage', `Basic ${patient.token}`]) {
      const { status, headers, body } = await sendRaw(ping, { headers: { authorization } });
      assert.deepEqual([status, body], [401, { error: 'unauthorized' }]);
      const challenge = headers.get('www-authenticate') ?? '';
      const expected = `Bearer resource_metadata="${service.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="patient/*.read"`;
      assert.equal(challenge.replace(/, error=.*/, ''), expected);
      assert.equal(challenge.includes(', error="invalid_token", '), authorization.startsWith('Bearer'));
    }
  });

  it('401 before the body is read, with the challenge of the project’s own endpoint', async () => {
    const path = `/projects/${patient.projectId}/mcp`;
    const { status, headers } = await sendRaw('not JSON', { headers: { authorization: '' }, path });
    assert.equal(status, 401);
    assert.match(headers.get('www-authenticate') ?? '', new RegExp(`oauth-protected-resource${path}"`));
  });

  it('401 with a challenge into which no path can inject text', async () => {
    const path = '/projects/a",resource_metadata="b/mcp';
    const { headers } = await sendRaw(ping, { headers: { authorization: '' }, path });
    const at = `${service.baseUrl}/.well-known/oauth-protected-resource${path.replaceAll('"', '%22')}`;
    assert.equal(headers.get('www-authenticate'), `Bearer resource_metadata="${at}", scope="patient/*.read"`);
  });

  it('the scheme’s name is case-insensitive', async () => {
    assert.equal(
      (await sendRaw(ping, { headers: { authorization: `bearer ${patient.token}` } })).status,
      200,
    );
  });

  it('403 Invalid Project at another project’s endpoint, 200 at the own one', async () => {
    const other = await sendRaw(ping, { path: `/projects/${await newProject(service)}/mcp` });
    assert.deepEqual([other.status, other.body], [403, { error: 'Invalid Project' }]);
    const none = await sendRaw(ping, { path: '/projects/none/mcp' });
    assert.deepEqual([none.status, none.body], [403, { error: 'Invalid Project' }]);
    assert.equal((await sendRaw(ping, { path: `/projects/${patient.projectId}/mcp` })).status, 200);
  });

  it('403 Data Access is revoked! for tools/call without consent; other methods need none', async () => {
    const unasked = await newTestPatient(service, { consent: false });
    const answer = await callTool(service, unasked, 'get_labs');
    assert.deepEqual([answer.status, answer.body], [403, { error: 'Data Access is revoked!' }]);
    for (const method of ['initialize', 'ping', 'tools/list', 'resources/list']) {
      const json = buildMessage(method, method === 'initialize' ? { protocolVersion: '2025-11-25' } : {});
      assert.equal((await call(service, '/mcp', { token: unasked.token, json })).status, 200, method);
    }
    assert.equal((await decide(service, unasked, 'OPTED_IN')).status, 201);
    assert.equal((await callTool(service, unasked, 'get_labs')).status, 200);
  });

  it('405 with Allow to GET, DELETE, and OPTIONS that is no preflight', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const { status, headers } = await sendRaw('', { method });
      assert.deepEqual([status, headers.get('allow')], [405, 'POST'], method);
    }
  });
});

describe('Host and Origin', () => {
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await sendRaw(JSON.stringify(buildMessage('ping')), { headers })).status;

  it('are refused with 403 when the host is not this service, and open to every origin', async () => {
    assert.equal(await ask({ host: 'evil.example' }), 403);
    assert.equal(await ask({ host: 'evil.example:80' }), 403);
    assert.equal(await ask({ host: '127.0.0.1.evil.example' }), 403);
    assert.equal(await ask({ host: 'evil.example', origin: 'http://evil.example' }), 403);
    for (const origin of ['https://evil.example', 'null', 'https://localhost.evil.example'])
      assert.equal(await ask({ origin }), 200, 'a token proves more than an origin');
  });

  it('may be any loopback name on any port while the base URL is on loopback', async () => {
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:8080', '[::1]:3000'])
      assert.equal(await ask({ host }), 200, host);
    assert.equal(await ask({ origin: 'http://localhost:6274' }), 200);
  });
});

describe('Accept', () => {
  const list = JSON.stringify(buildMessage('tools/list'));
  for (const accept of [
    null,
    '',
    '*/*',
    'application/json',
    'application/*',
    'application/json, text/event-stream',
    'text/event-stream, */*;q=0.1',
    'text/html',
    'text/event-stream;q=0',
  ]) {
    it(`${accept === null ? 'missing' : `"${accept}"`} is answered with JSON`, async () => {
      const { headers, body } = await sendRaw(list, { headers: accept === null ? {} : { accept } });
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(body.result.tools.length, 14);
    });
  }

  it('JSON that is not acceptable is answered with an event too', async () => {
    const { headers } = await sendRaw(list, {
      headers: { accept: 'application/json;q=0, */*;q=0.5, text/event-stream' },
    });
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/);
  });

  it('"text/event-stream" alone is answered with one event that holds the response', async () => {
    const json = await sendRaw(list);
    const { headers, body } = await sendRaw(list, { headers: { accept: 'text/event-stream' } });
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/);
    const [, data] = /^event: message\ndata: (.*)\n\n$/.exec(body) ?? [];
    assert.deepEqual(JSON.parse(data ?? ''), json.body);
  });

  it('"text/event-stream" alone is answered so with every error of JSON-RPC too, and in HTTP as anyone else', async () => {
    const call = (input: object) =>
      JSON.stringify(buildMessage('tools/call', { name: 'get_labs', arguments: input }));
    for (const [text, ...expected] of [
      [JSON.stringify(buildMessage('no/method')), 200, -32601],
      [call({ years: -1 }), 200, -32602],
      ['{', 400, -32700],
      ['[]', 400, -32600],
    ] as const) {
      const json = await sendRaw(text);
      const { status, headers, body } = await sendRaw(text, { headers: { accept: 'text/event-stream' } });
      assert.match(headers.get('content-type') ?? '', /^text\/event-stream/, text);
      const [, data = ''] = /^event: message\ndata: (.*)\n\n$/.exec(body) ?? [];
      const message = JSON.parse(data) as { error: { code: number } };
      assert.deepEqual(message, json.body);
      assert.deepEqual([status, message.error.code], expected);
    }
    const { status, body } = await sendRaw(list, {
      headers: { accept: 'text/event-stream', authorization: '' },
    });
    assert.deepEqual([status, body], [401, { error: 'unauthorized' }]);
  });

  it('a stream that is asked for at the base address, as at /mcp, is refused with 405', async () => {
    for (const path of ['/', '/mcp']) {
      const { status, headers } = await fetch(service.baseUrl + path, {
        headers: { accept: 'text/event-stream' },
      });
      assert.deepEqual([status, headers.get('allow')], [405, 'POST'], path);
    }
    for (const accept of ['text/html', 'application/json', '*/*'])
      assert.equal((await fetch(service.baseUrl, { headers: { accept } })).status, 200, accept);
  });
});

describe('notifications', () => {
  for (const method of [
    'notifications/initialized',
    'notifications/cancelled',
    'tools/call',
    'anything/else',
  ]) {
    it(`${method} without an id is answered 202 with no body`, async () => {
      const { status, body } = await sendRaw(JSON.stringify({ jsonrpc: '2.0', method }));
      assert.deepEqual([status, body], [202, '']);
    });
  }

  it('ids of every allowed type are returned unchanged', async () => {
    for (const id of ['abc', '', 0, -1, 1.5, 9007199254740991])
      assert.equal((await sendRaw(JSON.stringify(buildMessage('ping', {}, id)))).body.id, id);
  });

  it('a number that JavaScript has no like of is returned as it was written, also with an error', async () => {
    const headers = { accept: 'text/event-stream' };
    for (const written of ['9007199254740993', '-123456789012345678901234567890', '1e400']) {
      const message = `{"jsonrpc":"2.0","params":{"id":1,"":{"id":2}},"id":${written},"method":"ping"}`;
      const { body } = await sendRaw(message, { headers });
      assert.ok((body as string).includes(`"id":${written},`), body);
    }
    const { id } = parseMessage('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}');
    assert.equal(JSON.stringify({ id }), '{"id":9007199254740993}');
    const isRefusalOfIt = (error: unknown): boolean =>
      error instanceof RpcRefusal && JSON.stringify(error.id) === '9007199254740993';
    assert.throws(() => parseMessage('{"id":9007199254740993,"method":"ping"}'), isRefusalOfIt);
  });
});
