import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createOutboundClient, type OutboundClient } from '../../server/platform/outbound/outbound-client.ts';
import type { OutboundFailedError } from '../../server/platform/outbound/request.ts';
import type { ResolvedAddress } from '../../server/platform/outbound/resolve-name.ts';
import {
  getRedirectParameters,
  buildAuthorizePath,
  decideRequest,
  exchangeCode,
  postForm,
  newFlow,
  refresh,
  getRequestId,
  type Flow,
} from '../harness/authorization.ts';
import { startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { certificate, startMuteServer, startTlsServer, type Listener } from '../harness/tls/server.ts';
import { getToolStatus, getStatusAndError, UNLIMITED } from './attack.ts';

const CLIENT = 'https://agent.example/oauth/client.json';
const LOOPBACK: ResolvedAddress = { address: '127.0.0.1', family: 4 };
const PUBLIC: ResolvedAddress = { address: '203.0.114.7', family: 4 };

/** Every spelling of an address of ours that we know of, as a client id would have it. */
const PRIVATE = `
  127.0.0.1 127.1 127.0.1 127.255.255.254 0 0.0.0.0 0x0 2130706433 0x7f000001 0x7F.0.0.1 0x7f.1 017700000001 0177.0.0.1
  127.0.0.1. 127.000.000.001 １２７.0.0.1 ①②⑦.0.0.1 127。0。0。1 %31%32%37.0.0.1 10.0.0.1 172.16.0.1 192.168.0.1 3232235521
  169.254.169.254 0xa9fea9fe 2852039166 169.254.43518 0251.0376.0251.0376 100.64.0.1 168.63.129.16 192.0.0.192 224.0.0.1
  255.255.255.255 [::] [::1] [0:0:0:0:0:0:0:1] [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [0:0:0:0:0:ffff:127.0.0.1] [::ffff:169.254.169.254] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe]
  [2002:7f00:1::] [2001:0:0:0:0:0:80ff:fffe] [fc00::1] [fd00:ec2::254] [fe80::1] [fe80::1%25lo] [fec0::1] [ff02::1]
  localhost LOCALHOST localhost. a.localhost metadata db 8.8.8.8 [2606:4700::1111]
  user@127.0.0.1 127.0.0.1@agent.example agent.example@127.0.0.1 agent.example\\@127.0.0.1 127.0.0.1#.agent.example
  127.0.0.1?.agent.example 127.0.0.1%23.agent.example 127.0.0.1\\.agent.example agent.example:443 agent.example:80`
  .trim()
  .split(/\s+/);

/** Names that anybody can register, and what their name server says. */
const TRAPS: Record<string, readonly ResolvedAddress[]> = {
  loopback: [LOOPBACK],
  'another loopback': [{ address: '127.0.0.2', family: 4 }],
  'a private network': [{ address: '10.1.2.3', family: 4 }],
  'a link-local address': [{ address: '169.254.169.254', family: 4 }],
  'shared address space': [{ address: '100.64.0.1', family: 4 }],
  nowhere: [{ address: '0.0.0.0', family: 4 }],
  'IPv6 loopback': [{ address: '::1', family: 6 }],
  'mapped loopback': [{ address: '::ffff:127.0.0.1', family: 6 }],
  'compatible loopback': [{ address: '::127.0.0.1', family: 6 }],
  'NAT64 loopback': [{ address: '64:ff9b::7f00:1', family: 6 }],
  '6to4 loopback': [{ address: '2002:7f00:1::', family: 6 }],
  'a unique local address': [{ address: 'fd00:ec2::254', family: 6 }],
  'an IPv6 link-local address': [{ address: 'fe80::1', family: 6 }],
  'a public and a private address': [PUBLIC, LOOPBACK],
  'a private and a public address': [LOOPBACK, PUBLIC],
  'a public IPv4 and a private IPv6 address': [PUBLIC, { address: '::1', family: 6 }],
  'no address': [],
  'what is no address': [{ address: 'localhost', family: 4 }],
};

let target: Listener;
let server: Listener;
let answer: (response: ServerResponse) => void;
let fetchedPaths: string[] = [];
let resolve: (host: string) => Promise<readonly ResolvedAddress[]>;
let requested: string[] = [];
/** How long the product waits for a document, by what it asked of the client. */
let timeouts = new Set<number>();
/** How long the client waits instead: a busy machine needs longer for a good answer, and a test no second to see a bad one. */
let timeoutMs: number;
/** Why requests failed. */
let failures: string[] = [];
/** Whether loopback counts as public, as it must for whoever listens there to be asked. */
let open = true;

/** The guard as it runs in production, or open to loopback; what stands at port 443 is the server of this test. */
function createGuardedClient(): OutboundClient {
  const strict = createOutboundClient({ resolve: (host) => resolve(host), ca: certificate });
  const loose = createOutboundClient({
    resolve: (host) => resolve(host),
    permits: (address) => address === '127.0.0.1',
    ca: certificate,
  });
  return {
    request(request) {
      requested.push(request.url);
      timeouts.add(request.timeoutMs);
      const url = request.url.replace(/^(https:\/\/[^/:]+)\//, `$1:${server.port}/`);
      const response = (open ? loose : strict).request({ ...request, url, timeoutMs });
      response.catch(({ reason }: OutboundFailedError) => failures.push(reason));
      return response;
    },
  };
}

let service: TestService;
let flow: Flow;

before(async () => {
  target = await startMuteServer();
  server = await startTlsServer((request, response) => {
    fetchedPaths.push(request.url ?? '');
    answer(response);
  });
  service = await startTestService({ environment: UNLIMITED, outbound: createGuardedClient() });
  flow = await newFlow(service);
});
beforeEach(() => {
  fetchedPaths = [];
  requested = [];
  timeouts = new Set();
  timeoutMs = 60_000;
  failures = [];
  open = true;
  resolve = async () => [LOOPBACK];
  answer = (response) => sendDocument(response);
});
after(async () => {
  await service.stop();
  await target.stop();
  await server.stop();
});

function sendDocument(
  response: ServerResponse,
  more: object = {},
  headers: Record<string, string> = {},
): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(
    JSON.stringify({
      client_id: CLIENT,
      client_name: 'Documented agent',
      redirect_uris: ['https://agent.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      ...more,
    }),
  );
}

const begin = (clientId: string, more: Record<string, string> = {}): Promise<HttpResponse> =>
  flow.browser.get(buildAuthorizePath({ clientId, challenge: flow.pkce.challenge }, more));

function assertRefused({ status, headers, body }: HttpResponse): void {
  assert.deepEqual([status, body.error, headers.get('location')], [400, 'invalid_client', null]);
}

let documents = 0;
/** A client id nobody asked for before, and a document that fits it. */
function serveDocument(more: object = {}, headers: Record<string, string> = {}): string {
  const clientId = `https://agent.example/${++documents}/client.json`;
  answer = (response) => sendDocument(response, { client_id: clientId, ...more }, headers);
  return clientId;
}

/** All a client needs from the authorization endpoint on. */
const withClient = (clientId: string): Flow => ({ ...flow, client: { client_id: clientId } });

async function obtainCodeFor(clientId: string, more: Record<string, string> = {}): Promise<string> {
  const requestId = getRequestId(await begin(clientId, more));
  await decideRequest(flow.browser, requestId, 'grant');
  return getRedirectParameters(await flow.browser.get(`/oauth/complete/${requestId}`))['code'] as string;
}

describe('a client that is the URL of its document', () => {
  it('case 47: goes the whole way when all is well, fetched once', async () => {
    const clientId = serveDocument();
    const begun = await begin(clientId);
    const { body } = await flow.browser.get(`/oauth/interaction/${getRequestId(begun)}`);
    assert.deepEqual(body.client, {
      name: 'Documented agent',
      verifiedHost: 'agent.example',
      redirectHost: 'agent.example',
      onThisDevice: false,
      registeredAt: null,
      looksLike: null,
      about: null,
      knownBy: null,
      letIn: true,
    });
    const own = withClient(clientId);
    const tokens = await exchangeCode(service, own, await obtainCodeFor(clientId));
    assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
    assert.equal(await getToolStatus(service, tokens.body.access_token), 200);
    const next = await refresh(service, clientId, tokens.body.refresh_token as string);
    assert.equal(next.status, 200);
    const revoked = await postForm(service, '/oauth/revoke', {
      token: next.body.access_token as string,
      client_id: clientId,
    });
    assert.equal(revoked.status, 200);
    assert.equal(await getToolStatus(service, next.body.access_token), 401);
    assert.equal(fetchedPaths.length, 1);
  });

  for (const host of PRIVATE) {
    it(`case 47: at ${host} is nobody, and nothing is connected to`, async () => {
      for (const guard of [false, true]) {
        open = guard;
        const connections = [target.connections(), server.connections()];
        for (const id of [
          `https://${host}/client.json`,
          `https://${host}:${target.port}/client.json`,
          `http://${host}:${target.port}/client.json`,
        ]) {
          assertRefused(await begin(id));
        }
        assert.deepEqual([target.connections(), server.connections()], connections);
        // A name may be asked of the guard, which says no; what is an address or no name is not even that.
        if (host !== 'a.localhost') assert.deepEqual(requested, []);
      }
    });
  }

  for (const [what, addresses] of Object.entries(TRAPS)) {
    it(`case 47: whose name leads to ${what} is nobody, and nothing is connected to`, async () => {
      open = false;
      resolve = async () => addresses;
      const connections = server.connections();
      assertRefused(await begin(serveDocument()));
      assert.equal(requested.length, 1);
      assert.equal(server.connections(), connections);
    });
  }

  it('case 47: whose name is rebound between check and connection is asked where it was checked', async () => {
    const answers = [
      [LOOPBACK],
      [{ address: '127.0.0.2', family: 4 as const }],
      [{ address: '::1', family: 6 as const }],
    ];
    let lookups = 0;
    resolve = async () => answers[lookups++] ?? [];
    const clientId = serveDocument({}, { 'cache-control': 'max-age=30' });
    assert.equal((await begin(clientId)).status, 303);
    assert.equal(lookups, 1, 'one lookup for one connection');
    service.clock.advance(31_000);
    const connections = server.connections();
    assertRefused(await begin(clientId));
    assert.equal(server.connections(), connections);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [
      () => `https://127.0.0.1:${target.port}/client.json`,
      () => `http://127.0.0.1:${target.port}/client.json`,
      () => `https://agent.example:${server.port}/other`,
      () => '//169.254.169.254/',
    ]) {
      it(`case 47: that answers ${status} to elsewhere is not followed: ${location.toString().slice(6, 40)}`, async () => {
        const clientId = serveDocument();
        answer = (response) =>
          response.writeHead(status, { location: location(), 'content-type': 'application/json' }).end('{}');
        assertRefused(await begin(clientId));
        assert.equal(fetchedPaths.length, 1);
        assert.equal(target.connections(), 0);
      });
    }
  }
});

describe('a document that is not in order', () => {
  for (const id of [
    'http://agent.example/client.json',
    'https://agent.example/client.json#part',
    'https://agent.example/client.json#',
    'https://agent.example/client.json?a=b',
    'https://agent.example/client.json?',
    'https://user@agent.example/client.json',
    'https://user:secret@agent.example/client.json',
    'https://agent.example/a/../client.json',
    'https://agent.example/./client.json',
    'https://agent.example/%2e%2e/client.json',
    'https://agent.example/a/%2E%2e/client.json',
    'https://agent.example',
    'https://agent.example/',
    'https://AGENT.example/client.json',
    'HTTPS://agent.example/client.json',
    'https://agent.example:443/client.json',
    'https://agent.example:8443/client.json',
    'https:agent.example/client.json',
    'https:/agent.example/client.json',
    'https:\\\\agent.example\\client.json',
    ' https://agent.example/client.json',
    'https://agent.example/client.json ',
    'https://agent.example/cli\nent.json',
    'https://bücher.example/client.json',
    'file:///etc/passwd',
    'data:application/json,{}',
    'ftp://agent.example/client.json',
    'gopher://agent.example/client.json',
    `https://agent.example/${'x'.repeat(2000)}`,
  ]) {
    it(`case 48: by its id ${JSON.stringify(id.slice(0, 60))} is never fetched`, async () => {
      answer = (response) => sendDocument(response, { client_id: id });
      assertRefused(await begin(id));
      assert.deepEqual(requested, []);
    });
  }

  const WRONG: Record<string, object> = {
    'another client_id': { client_id: 'https://agent.example/other.json' },
    'a client_id with a last slash': { client_id: `${CLIENT}/` },
    'no client_id': { client_id: undefined },
    'a client_id that is a list': { client_id: [CLIENT] },
    'a secret': { client_secret: 'x' },
    'an empty secret': { client_secret: '' },
    'a secret that ends': { client_secret_expires_at: 0 },
    client_secret_basic: { token_endpoint_auth_method: 'client_secret_basic' },
    private_key_jwt: { token_endpoint_auth_method: 'private_key_jwt' },
    'no redirect URIs': { redirect_uris: undefined },
    'an empty list of redirect URIs': { redirect_uris: [] },
    'a javascript: redirect URI': { redirect_uris: ['javascript:alert(1)'] },
    'a plain http redirect URI': { redirect_uris: ['http://agent.example/callback'] },
    'a name turned right to left': { client_name: 'Cla\u202eude' },
    'a name of 201 characters': { client_name: 'x'.repeat(201) },
    'only other grant types': { grant_types: ['client_credentials'] },
    'only other response types': { response_types: ['token'] },
    'more than 5 kB': { padding: 'x'.repeat(5200) },
  };
  for (const [what, more] of Object.entries(WRONG)) {
    it(`case 48: for ${what} is no client, and is looked at anew half a minute later`, async () => {
      const clientId = serveDocument(more);
      assertRefused(await begin(clientId));
      assertRefused(await begin(clientId));
      assert.equal(fetchedPaths.length, 1, 'not at every request');
      answer = (response) => sendDocument(response, { client_id: clientId });
      assertRefused(await begin(clientId));
      service.clock.advance(31_000);
      assert.equal((await begin(clientId)).status, 303, 'nothing wrong stays');
    });
  }

  it('case 377: is led to none of its redirect URIs that are not taken here', async () => {
    const bad = ['javascript:alert(1)', 'http://agent.example/callback'];
    const clientId = serveDocument({ redirect_uris: [...bad, 'https://agent.example/callback'] });
    for (const redirect_uri of bad) {
      const { status, body, headers } = await begin(clientId, { redirect_uri });
      assert.deepEqual([status, body.error, headers.get('location')], [400, 'invalid_request', null]);
    }
    assert.equal((await begin(clientId)).status, 303);
  });

  const BODIES: Record<string, (response: ServerResponse, id: string) => void> = {
    HTML: (response, id) => sendDocument(response, { client_id: id }, { 'content-type': 'text/html' }),
    'plain text': (response, id) =>
      sendDocument(response, { client_id: id }, { 'content-type': 'text/plain' }),
    'no content type': (response) => response.writeHead(200).end('{}'),
    'application/jsonp': (response, id) =>
      sendDocument(response, { client_id: id }, { 'content-type': 'application/jsonp' }),
    'JSON that is a list': (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
    'JSON that is null': (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('null'),
    'half of a JSON': (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"client_id":'),
    nothing: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
    'bytes that are no UTF-8': (response, id) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          Buffer.concat([
            Buffer.from(`{"client_id":"${id}","redirect_uris":["https://agent.example/callback"],"x":"`),
            Buffer.from([0xff, 0xfe]),
            Buffer.from('"}'),
          ]),
        ),
    'deep nesting': (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(5000)),
    gzip: (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(Buffer.from('1f8b0800', 'hex')),
    'a body that is cut off': (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '4000' });
      response.write('{');
      setTimeout(() => response.destroy(), 20);
    },
    '10 MB announced': (response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': String(10 * 1024 * 1024),
      });
      response.write('{');
    },
    '10 MB that come': (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(Buffer.alloc(10 * 1024 * 1024, ' '));
    },
  };
  for (const [what, send] of Object.entries(BODIES)) {
    it(`case 48: that is ${what} is no client, and nothing of it stays`, async () => {
      const clientId = serveDocument();
      answer = (response) => send(response, clientId);
      assertRefused(await begin(clientId));
      assert.ok(!failures.includes('deadline'), 'refused for what it is, as soon as that is known');
      service.clock.advance(31_000);
      answer = (response) => sendDocument(response, { client_id: clientId });
      assert.equal((await begin(clientId)).status, 303);
    });
  }

  for (const status of [201, 204, 206, 400, 401, 403, 404, 410, 500, 503]) {
    it(`case 48: that comes with ${status} is no client`, async () => {
      const clientId = serveDocument();
      answer = (response) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(
            status === 204
              ? undefined
              : JSON.stringify({ client_id: clientId, redirect_uris: ['https://agent.example/callback'] }),
          );
      assertRefused(await begin(clientId));
    });
  }

  const SLOW: Record<string, (response: ServerResponse) => void> = {
    'says nothing': () => undefined,
    'trickles its body': (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
    'trickles its headers': (response) => {
      const socket = response.socket;
      socket?.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket?.write('x: y\r\n'), 50);
      socket?.on('close', () => clearInterval(timer));
    },
  };
  for (const [what, send] of Object.entries(SLOW)) {
    it(`case 48: whose server ${what} is no client after 2.5 seconds`, async () => {
      const clientId = serveDocument();
      answer = send;
      timeoutMs = 200;
      assertRefused(await begin(clientId));
      assert.deepEqual([failures, timeouts], [['deadline'], new Set([2500])]);
    });
  }

  it('case 48: is fetched for all who ask at once, and counted against each address', async () => {
    const slowed = await startTestService({ outbound: createGuardedClient() });
    try {
      const { browser, pkce } = await newFlow(slowed);
      const statuses: number[] = [];
      for (let count = 0; count < 40; count++) {
        const path = buildAuthorizePath({ clientId: serveDocument(), challenge: pkce.challenge });
        statuses.push((await browser.get(path)).status);
      }
      assert.equal(statuses.filter((status) => status === 303).length, 30);
      assert.deepEqual(statuses.slice(30), Array(10).fill(429));
      assert.equal(fetchedPaths.length, 30, 'whoever asks too often makes us ask nobody');
    } finally {
      await slowed.stop();
    }
    fetchedPaths = [];
    const clientId = serveDocument();
    const send = answer;
    answer = (response) => void setTimeout(() => send(response), 100);
    const answers = await Promise.all(Array.from({ length: 20 }, () => begin(clientId)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
    assert.equal(fetchedPaths.length, 1);
  });

  it('case 48: is fetched by the authorization endpoint alone', async () => {
    const clientId = serveDocument();
    const own = withClient(clientId);
    assert.deepEqual(getStatusAndError(await exchangeCode(service, own, 'cgc_unknown')), [
      400,
      'invalid_grant',
    ]);
    assert.deepEqual(getStatusAndError(await refresh(service, clientId, 'unknown')), [400, 'invalid_grant']);
    const revoked = await postForm(service, '/oauth/revoke', { token: 'unknown', client_id: clientId });
    assert.deepEqual([revoked.status, revoked.body], [200, { success: true }]);
    for (const id of ['https://127.0.0.1/client.json', 'http://agent.example/c', 'https://localhost/c']) {
      assert.deepEqual(getStatusAndError(await refresh(service, id, 'unknown')), [401, 'invalid_client'], id);
    }
    assert.deepEqual(requested, []);
  });
});

describe('what is remembered of documents', () => {
  const ELSEWHERE = 'https://other.agent.example/callback';

  it('case 49: is renewed: a redirect URI that is gone from the document is refused from then on', async () => {
    const clientId = serveDocument({}, { 'cache-control': 'max-age=60' });
    assert.equal((await begin(clientId)).status, 303);
    answer = (response) => sendDocument(response, { client_id: clientId, redirect_uris: [ELSEWHERE] });
    assert.equal((await begin(clientId)).status, 303, 'still believed');
    assert.equal((await begin(clientId, { redirect_uri: ELSEWHERE })).status, 400);
    service.clock.advance(61_000);
    assert.equal((await begin(clientId)).status, 400);
    assert.equal((await begin(clientId, { redirect_uri: ELSEWHERE })).status, 303);
  });

  it('case 49: leaves a code bound to the redirect URI it was asked with', async () => {
    const clientId = serveDocument({}, { 'cache-control': 'no-store' });
    const first = getRequestId(await begin(clientId));
    answer = (response) => sendDocument(response, { client_id: clientId, redirect_uris: [ELSEWHERE] });
    service.clock.advance(31_000);
    const second = getRequestId(await begin(clientId, { redirect_uri: ELSEWHERE }));
    await decideRequest(flow.browser, first, 'grant');
    const back = await flow.browser.get(`/oauth/complete/${first}`);
    assert.ok(
      back.headers.get('location')?.startsWith('https://agent.example/callback?'),
      'the one consented to',
    );
    const code = getRedirectParameters(back)['code'] as string;
    const own = withClient(clientId);
    const moved = await exchangeCode(service, own, code, { redirect_uri: ELSEWHERE });
    assert.deepEqual(getStatusAndError(moved), [400, 'invalid_grant']);
    assert.equal((await exchangeCode(service, own, code)).status, 200);
    const shown = await flow.browser.get(`/oauth/interaction/${second}`);
    assert.equal(shown.body.client.redirectHost, 'other.agent.example');
  });

  it('case 49: is of one document: a neighbour’s neither replaces nor extends it', async () => {
    const good = serveDocument();
    assert.equal((await begin(good)).status, 303);
    const evil = serveDocument({ client_id: good, redirect_uris: ['https://evil.example/cb'] });
    assertRefused(await begin(evil));
    const evilPath = { redirect_uri: 'https://evil.example/cb' };
    assert.equal((await begin(good, evilPath)).status, 400);
    for (const variant of [
      `${good}?`,
      `${good}#`,
      good.replace('agent', 'AGENT'),
      `${good}/`,
      good.replace('/client', '//client'),
    ]) {
      answer = (response) =>
        sendDocument(response, { client_id: good, redirect_uris: ['https://evil.example/cb'] });
      assertRefused(await begin(variant));
    }
    assert.equal((await begin(good, evilPath)).status, 400);
    assert.equal((await begin(good)).status, 303);
  });

  it('case 49: lasts between half a minute and a day, whatever its server says', async () => {
    for (const [cacheControl, fetchedAt] of [
      ['no-store', 31],
      ['max-age=0', 31],
      ['max-age=-5', 301],
      ['max-age=86400000', 86_401],
      ['max-age=99999999999999999999', 86_401],
      ['s-maxage=5, private', 301],
    ] as const) {
      const clientId = serveDocument({}, { 'cache-control': cacheControl });
      await begin(clientId);
      fetchedPaths = [];
      service.clock.advance((fetchedAt - 2) * 1000);
      await begin(clientId);
      assert.equal(fetchedPaths.length, 0, `${cacheControl}: believed`);
      service.clock.advance(2000);
      await begin(clientId);
      assert.equal(fetchedPaths.length, 1, `${cacheControl}: asked anew`);
    }
  });

  it('case 49: ends when the document has gone', async () => {
    const clientId = serveDocument({}, { 'cache-control': 'max-age=60' });
    assert.equal((await begin(clientId)).status, 303);
    answer = (response) => response.writeHead(404).end();
    service.clock.advance(61_000);
    assertRefused(await begin(clientId));
  });
});
