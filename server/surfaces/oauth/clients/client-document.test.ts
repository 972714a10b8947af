import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestClock } from '../../../../test/harness/clock.ts';
import {
  certificate,
  startMuteServer,
  startTlsServer,
  type Listener,
} from '../../../../test/harness/tls/server.ts';
import { createOutboundClient, type OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import type { OutboundFailedError } from '../../../platform/outbound/request.ts';
import { Refusal, tooManyRequests } from '../../../platform/kernel/refusal.ts';
import { createClientDocuments, isDocumentUrl, type ClientDocuments } from './client-document.ts';

const URL_OF_CLIENT = 'https://agent.example/oauth/client.json';
const REDIRECT = 'https://agent.example/cb';
const DOCUMENT = { client_id: URL_OF_CLIENT, client_name: 'Agent', redirect_uris: [REDIRECT] };
const CLIENT = {
  clientId: URL_OF_CLIENT,
  name: 'Agent',
  host: 'agent.example',
  redirectUris: [REDIRECT],
  grantTypes: null,
  scope: 'patient/*.read offline_access',
  about: null,
};

const NOT_OF_A_DOCUMENT = [
  '',
  'agent',
  'http://agent.example/client.json',
  'HTTPS://agent.example/client.json',
  'https://AGENT.example/client.json',
  'https://agent.example',
  'https://agent.example/',
  'https://agent.example/client.json#',
  'https://agent.example/client.json#part',
  'https://agent.example/client.json?',
  'https://agent.example/client.json?a=b',
  'https://user@agent.example/client.json',
  'https://@agent.example/client.json',
  'https://user:secret@agent.example/client.json',
  'https://agent.example:443/client.json',
  'https://agent.example:8443/client.json',
  'https://agent.example/a/../client.json',
  'https://agent.example/a/%2e%2E/client.json',
  'https://agent.example/./client.json',
  'https://agent.example/..',
  'https://agent.example\\client.json',
  'https://agent.example/cli ent.json',
  'https://agent.example/client.json\n',
  ' https://agent.example/client.json',
  'https://bücher.example/client.json',
  'https://agent.example./client.json',
  'https://.example/client.json',
  'https://localhost/client.json',
  'https://intranet/client.json',
  'https://127.0.0.1/client.json',
  'https://8.8.8.8/client.json',
  'https://0x7f000001/client.json',
  'https://127.1/client.json',
  'https://[::1]/client.json',
  'https://[::ffff:127.0.0.1]/client.json',
  'https://[2606:4700::1111]/client.json',
  'file:///client.json',
  'urn:uuid:00000000-0000-4000-8000-000000000000',
  `https://agent.example/${'x'.repeat(2000)}`,
];

/** What is said of each document below. */
const FAULTS: Readonly<Record<string, RegExp>> = {
  'names another client': /has a client_id that is not its own URL/,
  'names no client': /has a client_id that is missing/,
  'holds a secret': /holds a secret/,
  'holds the end of a secret': /holds a secret/,
  'wants a secret': /token_endpoint_auth_method must be none/,
  'has no redirect URI': /redirect_uris must hold 1 to 20/,
  'says nothing of redirect URIs': /has a redirect_uris that is missing/,
  'has a bad redirect URI': /redirect_uris\[0\] is http/,
  'has a deceptive name': /client_name must have/,
  'has other grants only': /grant_types must hold/,
  'is of another type': /Content-Type/,
  'is of no type': /Content-Type/,
  'is no JSON': /is no JSON/,
  'is no object': /is no JSON object/,
  'is no UTF-8': /is no JSON in UTF-8/,
  'is nested deeply': /is no JSON/,
  'is missing': /status 404/,
  'is created': /status 201/,
  'is elsewhere': /redirect 302/,
  'is longer than 5 kB': /more than 5120 bytes/,
  'has 10 MB': /more than 5120 bytes/,
  'is cut off': /could not be fetched .*try again later/,
  'is compressed': /Content-Encoding/,
  'is had another time': /could not be fetched .*try again later/,
};

describe('clients with a metadata document', () => {
  let server: Listener;
  let answer: (response: ServerResponse) => void;
  let asked: string[] = [];
  let accepts: (string | undefined)[] = [];
  /** How long the product would wait, and how long it does here. */
  let timeouts: number[] = [];
  let timeoutMs: number;
  let failures: string[] = [];
  let refusals: Refusal[] = [];
  const clock = createTestClock();
  let documents: ClientDocuments;

  before(async () => {
    server = await startTlsServer((request, response) => {
      asked.push(request.url ?? '');
      accepts.push(request.headers.accept);
      answer(response);
    });
  });
  beforeEach(() => {
    asked = [];
    accepts = [];
    timeouts = [];
    timeoutMs = 60_000;
    failures = [];
    refusals = [];
    answer = (response) => sendDocument(response);
    documents = createClientDocuments({ outbound: toPort(server.port), clock, enabled: true });
  });
  after(() => server.stop());

  /** The real outbound client, with a port that a test may listen on instead of 443. */
  function toPort(
    port: number,
    resolve = async () => [{ address: '127.0.0.1', family: 4 } as const],
  ): OutboundClient {
    const real = createOutboundClient({
      resolve,
      permits: (address) => address === '127.0.0.1',
      ca: certificate,
    });
    return {
      request(request) {
        timeouts.push(request.timeoutMs);
        const url = request.url.replace('agent.example/', `agent.example:${port}/`);
        const response = real.request({ ...request, url, timeoutMs });
        response.catch(({ reason }: OutboundFailedError) => failures.push(reason));
        return response;
      },
    };
  }

  function sendDocument(
    response: ServerResponse,
    more: object = {},
    headers: Record<string, string> = {},
  ): void {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ ...DOCUMENT, ...more }));
  }

  const free = (): void => undefined;
  /** Null where the client is refused; the words are in `refusals`. */
  const find = (url = URL_OF_CLIENT) =>
    documents.find(url, free).catch((error: unknown) => {
      assert.ok(error instanceof Refusal && error.status === 400, String(error));
      refusals.push(error);
      return null;
    });

  it('are found by its URL', async () => {
    assert.deepEqual(await find(), CLIENT);
    assert.deepEqual(asked, ['/oauth/client.json'], 'and nothing else is fetched');
    assert.deepEqual(accepts, ['application/json']);
  });

  it('may support what other servers offer besides', async () => {
    answer = (response) =>
      sendDocument(
        response,
        {
          client_uri: 'https://agent.example',
          logo_uri: 'http://169.254.169.254/logo.png',
          grant_types: [
            'authorization_code',
            'refresh_token',
            'urn:ietf:params:oauth:grant-type:device_code',
          ],
          response_types: ['code', 'code id_token'],
          token_endpoint_auth_method: 'none',
          scope: 'openid patient/*.read',
        },
        { 'content-type': 'application/cimd+json; charset=utf-8' },
      );
    assert.deepEqual(await find(), {
      ...CLIENT,
      grantTypes: ['authorization_code', 'refresh_token'],
      scope: 'patient/*.read',
      about: { clientUri: 'https://agent.example/', policyUri: null, tosUri: null, contacts: [] },
    });
    assert.equal(asked.length, 1);
  });

  for (const url of NOT_OF_A_DOCUMENT) {
    it(`are not found by ${JSON.stringify(url.slice(0, 70))}, without a request`, async () => {
      assert.equal(isDocumentUrl(url), false);
      if (/^https?:/i.test(url))
        await assert.rejects(
          documents.find(url, () => assert.fail('spent')),
          /^Refusal: client_id must be the https URL of a metadata document/,
        );
      else assert.equal(await documents.find(url, () => assert.fail('spent')), null);
      assert.deepEqual(asked, []);
    });
  }

  it('may hold nulls for what they do not say, and redirect URIs of other servers beside ours', async () => {
    const nothing = { client_secret: null, client_uri: null, contacts: null, grant_types: null, scope: null };
    const uris = ['http://agent.example/cb', REDIRECT, 'myapp:/cb'];
    answer = (response) => sendDocument(response, { ...nothing, response_types: null, redirect_uris: uris });
    assert.deepEqual(await find(), CLIENT);
  });

  for (const [what, send] of Object.entries<(response: ServerResponse) => void>({
    'names another client': (response) => sendDocument(response, { client_id: `${URL_OF_CLIENT}/` }),
    'names no client': (response) => sendDocument(response, { client_id: undefined }),
    'holds a secret': (response) => sendDocument(response, { client_secret: 'x' }),
    'holds the end of a secret': (response) => sendDocument(response, { client_secret_expires_at: 0 }),
    'wants a secret': (response) =>
      sendDocument(response, { token_endpoint_auth_method: 'client_secret_post' }),
    'has no redirect URI': (response) => sendDocument(response, { redirect_uris: [] }),
    'says nothing of redirect URIs': (response) => sendDocument(response, { redirect_uris: undefined }),
    'has a bad redirect URI': (response) =>
      sendDocument(response, { redirect_uris: ['http://agent.example/cb', 'javascript:alert(1)'] }),
    'has a deceptive name': (response) => sendDocument(response, { client_name: 'Cla\u202eude' }),
    'has other grants only': (response) => sendDocument(response, { grant_types: ['implicit'] }),
    'is of another type': (response) => sendDocument(response, {}, { 'content-type': 'text/html' }),
    'is of no type': (response) => response.end(JSON.stringify(DOCUMENT)),
    'is no JSON': (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('<html>');
    },
    'is no object': (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('[]');
    },
    'is no UTF-8': (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(Buffer.from(JSON.stringify({ ...DOCUMENT, client_name: 'Agént' }), 'latin1'));
    },
    'is nested deeply': (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('['.repeat(5000));
    },
    'is missing': (response) => {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(DOCUMENT));
    },
    'is created': (response) => {
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify(DOCUMENT));
    },
    'is elsewhere': (response) => {
      response.writeHead(302, { 'content-type': 'application/json', location: '/other.json' });
      response.end(JSON.stringify(DOCUMENT));
    },
    'is longer than 5 kB': (response) => sendDocument(response, { client_uri: 'x'.repeat(5120) }),
    'has 10 MB': (response) => sendDocument(response, { client_uri: 'x'.repeat(10_000_000) }),
    'is compressed': (response) => sendDocument(response, {}, { 'content-encoding': 'gzip' }),
    'is had another time': (response) => void response.writeHead(503).end(),
    'is cut off': (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{');
      response.destroy();
    },
  })) {
    it(`are not found when the document ${what}; the result is cached for 30 s`, async () => {
      answer = send;
      assert.equal(await find(), null);
      assert.match(refusals[0]?.message ?? '', FAULTS[what] ?? /^$/);
      assert.doesNotMatch(refusals[0]?.message ?? '', /alert|agent\.example/);
      assert.match(refusals[0]?.reason ?? '', /^client document at agent\.example: /, 'for the log');
      answer = (response) => sendDocument(response);
      clock.advance(29_000);
      assert.equal(await find(), null);
      assert.equal(asked.length, 1);
      clock.advance(2000);
      assert.deepEqual(await find(), CLIENT);
    });
  }

  it('are not found when the document takes longer than 2.5 s', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    };
    timeoutMs = 200;
    assert.equal(await find(), null);
    assert.deepEqual([failures, timeouts], [['deadline'], [2500]]);
    assert.equal(refusals[0]?.code, 'client_unavailable');
  });

  it('case 377: are not found when their host is not public, in the words of one that does not answer', async () => {
    const target = await startMuteServer();
    const addresses = ['127.0.0.1', '169.254.169.254', '10.0.0.1', '::1', '::ffff:127.0.0.1', 'fd00::1'];
    for (const address of addresses) {
      const family = address.includes(':') ? 6 : 4;
      const guarded = createOutboundClient({ resolve: async () => [{ address, family }], ca: certificate });
      const toTarget: OutboundClient = {
        request: (request) =>
          guarded.request({
            ...request,
            url: request.url.replace('agent.example/', `agent.example:${target.port}/`),
          }),
      };
      const strict = createClientDocuments({ outbound: toTarget, clock, enabled: true });
      await assert.rejects(strict.find(URL_OF_CLIENT, free), /could not be fetched .*try again later/);
    }
    assert.equal(target.connections(), 0);
    await target.stop();
  });

  it('are not found when documents are disabled', async () => {
    const off = createClientDocuments({ outbound: toPort(server.port), clock, enabled: false });
    await assert.rejects(
      off.find(URL_OF_CLIENT, () => assert.fail('spent')),
      /documents are not taken here; register/,
    );
    assert.deepEqual(asked, []);
  });

  for (const [header, seconds] of [
    [undefined, 300],
    ['public, max-age=600', 600],
    ['Max-Age="600"', 600],
    ['s-maxage=5, max-age=600', 600],
    ['max-age=0', 30],
    ['no-store', 30],
    ['no-cache, max-age=600', 30],
    ['max-age=99999999999999999999', 24 * 3600],
    ['max-age=31536000, immutable', 24 * 3600],
    ['max-age=-5', 300],
    ['max-age=soon', 300],
    ['x-max-age=600', 300],
  ] as const) {
    it(`are cached for ${seconds} s under Cache-Control: ${header ?? '(none)'}`, async () => {
      answer = (response) =>
        sendDocument(response, {}, header === undefined ? {} : { 'cache-control': header });
      await find();
      clock.advance((seconds - 2) * 1000);
      await find();
      assert.equal(asked.length, 1);
      clock.advance(4000);
      await find();
      assert.equal(asked.length, 2);
    });
  }

  it('change when their document does', async () => {
    await find();
    clock.advance(301_000);
    answer = (response) => sendDocument(response, { redirect_uris: ['https://agent.example/new'] });
    assert.deepEqual((await find())?.redirectUris, ['https://agent.example/new']);
    clock.advance(301_000);
    answer = (response) => void response.writeHead(404).end();
    assert.equal(await find(), null, 'and end with it');
  });

  it('are fetched once by concurrent requests', async () => {
    answer = (response) => void setTimeout(() => sendDocument(response), 50);
    const found = await Promise.all(Array.from({ length: 20 }, () => find()));
    assert.equal(asked.length, 1);
    for (const client of found) assert.deepEqual(client, CLIENT);
  });

  it('are distinguished by their URLs', async () => {
    answer = (response) => sendDocument(response, { client_id: `https://agent.example${asked.at(-1)}` });
    assert.equal((await find('https://agent.example/a'))?.clientId, 'https://agent.example/a');
    assert.equal((await find('https://agent.example/b'))?.clientId, 'https://agent.example/b');
    assert.equal((await find('https://agent.example/constructor'))?.host, 'agent.example');
  });

  it('consume the quota of a requester only for a fetch, and nobody else is refused when it is used up', async () => {
    const refused = () => Promise.reject(tooManyRequests('too_many_requests', 1000));
    await assert.rejects(documents.find(URL_OF_CLIENT, refused), { status: 429 });
    assert.deepEqual(asked, []);
    let spent = 0;
    const spend = (): void => void spent++;
    assert.deepEqual(await documents.find(URL_OF_CLIENT, spend), CLIENT);
    assert.deepEqual(await documents.find(URL_OF_CLIENT, spend), CLIENT);
    assert.equal(spent, 1);
    assert.deepEqual(await documents.find(URL_OF_CLIENT, refused), CLIENT);
  });

  it('are evicted from a cache of a thousand, and then fetched again', async () => {
    const few = 1001;
    answer = (response) => void response.writeHead(404).end();
    for (let at = 0; at < few; at++) await find(`https://agent.example/${at}`);
    await find(`https://agent.example/${few - 1}`);
    assert.equal(asked.length, few);
    await find('https://agent.example/0');
    assert.equal(asked.length, few + 1);
  });
});
