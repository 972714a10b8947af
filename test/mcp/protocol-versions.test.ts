import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  call,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { SPECIFIED_TOOLS } from './specified-tools.ts';

let service: TestService;
let patient: TestPatient;
before(async () => {
  service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '10000' } });
  patient = await newTestPatient(service);
});
after(() => service.stop());

const send = (
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<HttpResponse> =>
  call(service, '/mcp', { token: patient.token, json: { jsonrpc: '2.0', id: 7, method, params }, headers });

describe('the handshake era', () => {
  const initialize = async (
    protocolVersion: string,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse['body']> => {
    const clientInfo = { name: 'test', version: '1' };
    return (await send('initialize', { protocolVersion, capabilities: {}, clientInfo }, headers)).body.result;
  };

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`opens by initialize with ${version}`, async () => {
      const result = await initialize(version);
      assert.equal(result.protocolVersion, version);
      assert.deepEqual(result.capabilities, { tools: {} });
      assert.equal(result.serverInfo.name, 'chartgate');
      assert.equal(result.serverInfo.version, '1.0.0');
      assert.equal(typeof result.serverInfo.description, 'string');
    });
  }

  for (const version of ['1999-01-01', '2024-10-07', '2026-07-28', '']) {
    it(`answers 2025-11-25 to initialize with ${version || 'nothing'}, also when the header names it`, async () => {
      assert.equal((await initialize(version)).protocolVersion, '2025-11-25');
      assert.equal(
        (await initialize(version, { 'mcp-protocol-version': version || '2025-06-18' })).protocolVersion,
        '2025-11-25',
      );
    });
  }

  it('needs no initialize before another request', async () => {
    assert.deepEqual((await send('ping')).body, { jsonrpc: '2.0', id: 7, result: {} });
    assert.deepEqual((await send('resources/list')).body.result, { resources: [] });
  });

  it('takes null for params and for a cursor as none', async () => {
    for (const params of [null, { cursor: null }]) {
      const json = { jsonrpc: '2.0', id: 7, method: 'tools/list', params };
      const { body } = await call(service, '/mcp', { token: patient.token, json });
      assert.equal(body.result.tools.length, SPECIFIED_TOOLS.length);
    }
  });

  it('lists the tools of the specification, in its order, with titles, hints and closed schemas', async () => {
    const { tools } = (await send('tools/list', {}, { 'mcp-protocol-version': '2025-06-18' })).body.result;
    assert.deepEqual(
      tools.map(({ name }: { name: string }) => name),
      SPECIFIED_TOOLS.map(({ name }) => name),
    );
    for (const tool of tools) {
      assert.equal(typeof tool.title, 'string');
      assert.ok(tool.description.length > 20);
      assert.equal(tool.annotations.readOnlyHint, true);
      assert.equal(tool.inputSchema.type, 'object');
      assert.equal(tool.inputSchema.additionalProperties, false);
      assert.equal(typeof tool.inputSchema.properties, 'object');
    }
  });

  it('names each tool’s arguments as the specification does', async () => {
    const { tools } = (await send('tools/list')).body.result;
    const listed = Object.fromEntries(
      tools.map(
        ({
          name,
          inputSchema,
        }: {
          name: string;
          inputSchema: { properties: object; required?: string[] };
        }) => [name, [Object.keys(inputSchema.properties), inputSchema.required ?? []]],
      ),
    );
    assert.deepEqual(
      listed,
      Object.fromEntries(SPECIFIED_TOOLS.map((tool) => [tool.name, [tool.arguments, tool.required ?? []]])),
    );
  });

  it('answers tools/call with one text, which ends with the metadata line for a history', async () => {
    for (const { name, example = {} } of SPECIFIED_TOOLS) {
      const { result } = (await send('tools/call', { name, arguments: example })).body;
      assert.deepEqual(
        result.content.map(({ type }: { type: string }) => type),
        ['text'],
        name,
      );
      const last = result.content[0].text.trimEnd().split('\n').at(-1) as string;
      const isHistory = name.startsWith('get_') && !['get_health_summary', 'get_details'].includes(name);
      if (isHistory)
        assert.match(
          last,
          /^hasMoreData: (true|false) \| dateRange: \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/,
          name,
        );
    }
  });

  it('accepts tools/call without arguments', async () => {
    assert.equal((await send('tools/call', { name: 'get_labs' })).body.result.isError, false);
    assert.equal(
      (await send('tools/call', { name: 'get_labs', arguments: null })).body.result.isError,
      false,
    );
  });
});

describe('the stateless era', () => {
  const VERSION = '2026-07-28';
  const SUPPORTED = [VERSION, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
  const META = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  interface Change {
    meta?: object | null;
    headers?: Record<string, string | null>;
  }
  const ask = (
    method: string,
    params: Record<string, unknown> = {},
    { meta = META, headers = {} }: Change = {},
  ): Promise<HttpResponse> => {
    const name = params['name'];
    const all = {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
    return send(method, { ...params, ...(meta && { _meta: meta }) }, Object.fromEntries(sent));
  };

  it('answers server/discover with versions, capabilities and server info', async () => {
    const { status, body } = await ask('server/discover');
    assert.equal(status, 200);
    assert.deepEqual(body.result.supportedVersions, SUPPORTED);
    assert.deepEqual(body.result.capabilities, { tools: {} });
    assert.equal(body.result.resultType, 'complete');
    assert.equal(body.result['_meta']['io.modelcontextprotocol/serverInfo'].name, 'chartgate');
  });

  it('declares how long and for whom lists are cacheable', async () => {
    for (const method of ['tools/list', 'resources/list']) {
      const { result } = (await ask(method)).body;
      assert.deepEqual(
        [typeof result.ttlMs, result.cacheScope, result.resultType],
        ['number', 'public', 'complete'],
        method,
      );
    }
  });

  it('calls tools, whose results are never cacheable', async () => {
    const { result } = (await ask('tools/call', { name: 'get_labs', arguments: {} })).body;
    assert.deepEqual(
      [result.resultType, result.content[0].type, 'ttlMs' in result],
      ['complete', 'text', false],
    );
  });

  it('accepts a tool’s name encoded in base64', async () => {
    const headers = { 'mcp-name': `=?base64?${Buffer.from('get_labs').toString('base64')}?=` };
    assert.equal((await ask('tools/call', { name: 'get_labs' }, { headers })).status, 200);
  });

  for (const method of ['ping', 'initialize', 'logging/setLevel', 'resources/read']) {
    it(`answers 404 and -32601 to ${method}`, async () => {
      const { status, body } = await ask(method);
      assert.deepEqual([status, body.error.code, body.id], [404, -32601, 7]);
    });
  }

  const call = { name: 'get_labs', arguments: {} };
  const faults: [what: string, params: Record<string, unknown>, change: Change, code: number][] = [
    ['no MCP-Protocol-Version header', call, { headers: { 'mcp-protocol-version': null } }, -32020],
    [
      'a version header that differs from _meta',
      call,
      { headers: { 'mcp-protocol-version': '2025-11-25' } },
      -32020,
    ],
    ['no Mcp-Method header', call, { headers: { 'mcp-method': null } }, -32020],
    ['another Mcp-Method header', call, { headers: { 'mcp-method': 'tools/list' } }, -32020],
    ['no Mcp-Name header', call, { headers: { 'mcp-name': null } }, -32020],
    ['another Mcp-Name header', call, { headers: { 'mcp-name': 'get_vitals' } }, -32020],
    ['no clientCapabilities', call, { meta: { 'io.modelcontextprotocol/protocolVersion': VERSION } }, -32602],
    ['the header alone, without _meta', call, { meta: null }, -32602],
  ];
  for (const [what, params, change, code] of faults) {
    it(`answers 400 and ${code} to ${what}`, async () => {
      const { status, body } = await ask('tools/call', params, change);
      assert.deepEqual([status, body.error.code, body.id], [400, code, 7]);
    });
  }

  for (const version of ['2027-01-01', '1999-01-01']) {
    it(`answers 400 and -32022 to version ${version}, with the supported versions`, async () => {
      const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': version };
      const { status, body } = await ask(
        'tools/list',
        {},
        { meta, headers: { 'mcp-protocol-version': version } },
      );
      assert.deepEqual([status, body.error.code], [400, -32022]);
      assert.deepEqual(body.error.data, { supported: SUPPORTED, requested: version });
    });
  }
});
