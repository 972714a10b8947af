import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  certificate,
  startMuteServer,
  startTlsServer,
  type Listener,
} from '../../../test/harness/tls/server.ts';
import { OutboundFailedError, OutboundRefusedError, type OutboundRequest } from './request.ts';
import { createOutboundClient } from './outbound-client.ts';
import type { ResolvedAddress } from './resolve-name.ts';

const LOOPBACK: ResolvedAddress = { address: '127.0.0.1', family: 4 };
const PUBLIC: ResolvedAddress = { address: '203.0.114.7', family: 4 };

const refusedAs = (reason: string) => (error: unknown) =>
  error instanceof OutboundRefusedError &&
  error.reason === reason &&
  error.message === `request refused: ${reason}`;
const failedAs = (reason: string) => (error: unknown) =>
  error instanceof OutboundFailedError &&
  error.reason === reason &&
  error.message === `request failed: ${reason}`;

const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url,
  timeoutMs: 60_000,
  maxBytes: 1000,
  ...more,
});

/** The real guard, except that loopback passes and every name resolves to 127.0.0.1. */
const open = createOutboundClient({
  resolve: async () => [LOOPBACK],
  permits: (address) => address === '127.0.0.1',
  ca: certificate,
});

async function withTlsServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  use: (base: string, server: Listener) => Promise<void>,
): Promise<void> {
  const server = await startTlsServer(handler);
  try {
    await use(`https://agent.example:${server.port}`, server);
  } finally {
    await server.stop();
  }
}

async function withListener(
  listener: Promise<Listener>,
  use: (base: string, server: Listener) => Promise<void>,
): Promise<void> {
  const server = await listener;
  try {
    await use(`https://agent.example:${server.port}`, server);
  } finally {
    await server.stop();
  }
}

/** Every known spelling of an address that is not public. */
const SPELLINGS = `
  127.0.0.1 127.1 127.0.1 127.0.0.1. 127.255.255.254 0 0.0.0.0 0x0 2130706433 0x7f000001 0x7F.0.0.1 0x7f.1 017700000001
  0177.0.0.1 0177.1 0x7f.0x0.0x0.0x1 127.0.0.0x1 127.000.000.001 １２７.0.0.1 ①②⑦.0.0.1 127。0。0。1 127．0．0．1
  %31%32%37.0.0.1 %30x7f000001 10.0.0.1 10.1 0xa000001 167772161 172.16.0.1 172.31.255.255 192.168.0.1 192.168.257
  3232235521 169.254.169.254 0xa9fea9fe 2852039166 169.254.43518 0251.0376.0251.0376 100.64.0.1 100.100.100.200
  168.63.129.16 192.0.0.192 198.18.0.1 224.0.0.1 255.255.255.255 4294967295
  [::] [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::127.0.0.1] [::7f00:1] [::ffff:127.0.0.1]
  [::ffff:7f00:1] [::FFFF:0x7f.1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:169.254.169.254] [::ffff:0:127.0.0.1]
  [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [2002:7f00:1::] [2001:0:0:0:0:0:80ff:fffe] [fc00::1] [fd00:ec2::254]
  [fe80::1] [fe80::1%25lo] [fec0::1] [ff02::1]
  localhost LOCALHOST localhost. ｌocalhost loc%61lhost a.localhost a.b.LocalHost intranet chartgate metadata db
  agent.example.`
  .trim()
  .split(/\s+/);

describe('the outbound client', () => {
  let target: Listener;
  before(async () => {
    target = await startMuteServer();
  });
  after(() => target.stop());

  for (const host of SPELLINGS) {
    it(`never connects to ${host}`, async () => {
      const guarded = createOutboundClient({ resolve: async () => [LOOPBACK] });
      await assert.rejects(guarded.request(get(`https://${host}:${target.port}/`)), OutboundRefusedError);
      assert.equal(target.connections(), 0);
    });
  }

  for (const [url, reason] of [
    ['http://agent.example/', 'not_https'],
    ['ftp://agent.example/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_https'],
    ['data:,x', 'not_https'],
    ['//agent.example/', 'invalid_url'],
    ['', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://user@agent.example/', 'credentials_in_url'],
    ['https://:secret@agent.example/', 'credentials_in_url'],
    ['https://agent.example\\@127.0.0.1/', 'invalid_url'],
    ['https:\\\\agent.example/', 'invalid_url'],
    ['https://agent.exa\tmple/', 'invalid_url'],
    ['https://agent.example/\r\nx-evil: 1', 'invalid_url'],
    [' https://agent.example/', 'invalid_url'],
    ['https://agent.example:99999/', 'invalid_url'],
    ['https://agent.example:0/', 'invalid_url'],
    ['https://agent..example/', 'invalid_url'],
    ['https://.agent.example/', 'invalid_url'],
    [`https://${'x'.repeat(64)}.example/`, 'invalid_url'],
  ] as const) {
    it(`refuses ${JSON.stringify(url)}: ${reason}`, async () => {
      let lookups = 0;
      const guarded = createOutboundClient({ resolve: async () => (lookups++, [PUBLIC]) });
      await assert.rejects(guarded.request(get(url)), refusedAs(reason));
      assert.equal(lookups, 0, 'no name is looked up');
    });
  }

  it('looks up no name that only this machine or its own network knows', async () => {
    for (const host of [
      'localhost',
      'a.localhost',
      'LOCALHOST',
      'localhost.',
      'agent.example.',
      'intranet',
      'db',
    ]) {
      const guarded = createOutboundClient({ resolve: () => assert.fail('looked up') });
      await assert.rejects(guarded.request(get(`https://${host}/`)), refusedAs('host_not_public'));
    }
  });

  it('connects to nothing when one of the addresses is not public', async () => {
    for (const answers of [
      [PUBLIC, LOOPBACK],
      [LOOPBACK, PUBLIC],
      [PUBLIC, { address: '::ffff:127.0.0.1', family: 6 }],
      [PUBLIC, { address: 'fe80::1%lo', family: 6 }],
      [{ address: 'elsewhere.example', family: 4 }],
    ] as ResolvedAddress[][]) {
      const guarded = createOutboundClient({ resolve: async () => answers });
      const response = guarded.request(get(`https://agent.example:${target.port}/`));
      await assert.rejects(response, refusedAs('address_not_public'));
    }
    assert.equal(target.connections(), 0);
  });

  it('resolves a name once and connects to the checked address, whatever DNS answers next', async () => {
    await withTlsServer(
      (_request, response) => response.end('ok'),
      async (base, server) => {
        const answers = [LOOPBACK, { address: '127.0.0.2', family: 4 } as const];
        const lookups: string[] = [];
        const rebinding = createOutboundClient({
          resolve: async (host) => [answers[lookups.push(host) - 1] as ResolvedAddress],
          permits: (address) => address === '127.0.0.1',
          ca: certificate,
        });
        assert.equal((await rebinding.request(get(`${base}/`))).body.toString(), 'ok');
        assert.deepEqual(lookups, ['agent.example']);
        await assert.rejects(rebinding.request(get(`${base}/`)), refusedAs('address_not_public'));
        assert.equal(server.connections(), 1, 'no connection is used twice');
      },
    );
  });

  it('fails when a name has no address, or its resolver fails', async () => {
    for (const resolve of [async () => [], () => Promise.reject(new Error('ENOTFOUND'))]) {
      await assert.rejects(
        createOutboundClient({ resolve }).request(get('https://agent.example/')),
        failedAs('name_not_resolved'),
      );
    }
  });

  it('reaches private networks with allowPrivate, by name or address, but never link-local ones', async () => {
    const own = createOutboundClient({ ca: certificate, resolve: async () => [LOOPBACK] });
    await withTlsServer(
      (_request, response) => response.end('ok'),
      async (base, { port }) => {
        const answer = await own.request(get(`${base}/`, { allowPrivate: true }));
        assert.equal(answer.body.toString(), 'ok');
        const real = createOutboundClient({ ca: certificate });
        for (const host of ['127.0.0.1', 'localhost']) {
          await assert.rejects(
            real.request(get(`https://${host}:${port}/`, { allowPrivate: true })),
            failedAs('tls_failed'),
            'it was connected to, for its certificate is not good for this host',
          );
        }
      },
    );
    await assert.rejects(
      own.request(get('https://169.254.169.254/', { allowPrivate: true })),
      refusedAs('address_not_public'),
    );
  });

  it('sends without TLS in private networks alone, and only with allowPlain', async () => {
    const server = http.createServer((_request, response) => response.end('plain')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const plain = { allowPrivate: true, allowPlain: true };
    try {
      const client = createOutboundClient();
      const answer = await client.request(get(`http://127.0.0.1:${port}/`, plain));
      assert.equal(answer.body.toString(), 'plain');
      const refusals = [
        client.request(get(`http://127.0.0.1:${port}/`, { allowPrivate: true })),
        createOutboundClient({ resolve: async () => [LOOPBACK, PUBLIC] }).request(
          get(`http://agent.example:${port}/`, plain),
        ),
      ];
      for (const refused of refusals) await assert.rejects(refused, refusedAs('not_https'));
      await assert.rejects(
        client.request(get(`http://127.0.0.1:${port}/`, { allowPlain: true })),
        refusedAs('address_not_public'),
      );
    } finally {
      server.close();
    }
  });

  it('sends method, headers, body and host, and accepts no compression', async () => {
    await withTlsServer(
      (request, response) => {
        request.setEncoding('utf8');
        let body = '';
        request.on('data', (chunk: string) => (body += chunk));
        request.on('end', () => {
          response.writeHead(202, { 'x-seen': 'yes' });
          response.end(
            JSON.stringify({ ...request.headers, method: request.method, url: request.url, body }),
          );
        });
      },
      async (base, { port }) => {
        const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' };
        const url = `${base}/hook?a=b#part`;
        const answer = await open.request(get(url, { method: 'POST', headers, body: '{"ä":1}' }));
        assert.equal(answer.status, 202);
        assert.equal(answer.headers['x-seen'], 'yes');
        assert.deepEqual(JSON.parse(answer.body.toString()), {
          'content-type': 'application/json',
          'user-agent': 'Chartgate/1.0',
          'accept-encoding': 'identity',
          host: `agent.example:${port}`,
          connection: 'close',
          'content-length': '8',
          method: 'POST',
          url: '/hook?a=b',
          body: '{"ä":1}',
        });
      },
    );
  });

  it('follows no redirect', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      await withTlsServer(
        (_request, response) =>
          response.writeHead(status, { location: `https://127.0.0.1:${target.port}/` }).end(),
        async (base, server) => {
          const answer = await open.request(get(`${base}/`));
          assert.equal(answer.status, status);
          assert.equal(server.connections(), 1);
        },
      );
    }
    assert.equal(target.connections(), 0);
  });

  it('stops reading a body of 10 MB at the limit, announced or not', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024, 'x');
    for (const headers of [{ 'content-length': large.length }, {}]) {
      let written = 0;
      await withTlsServer(
        (_request, response) => {
          response.writeHead(200, headers);
          const more = (): void => {
            while (written < large.length && !response.destroyed) {
              if (!response.write(large.subarray(written, (written += 16_384)))) break;
            }
          };
          response.on('drain', more);
          more();
        },
        async (base) => {
          await assert.rejects(open.request(get(`${base}/`)), failedAs('answer_too_large'));
          assert.ok(written < large.length / 2, `${written} bytes were written`);
        },
      );
    }
  });

  it('does not wait for a body that is announced as too large', async () => {
    await withTlsServer(
      (_request, response) => response.writeHead(200, { 'content-length': '1001' }).flushHeaders(),
      async (base) => {
        await assert.rejects(open.request(get(`${base}/`)), failedAs('answer_too_large'));
      },
    );
  });

  it('case 329: gives up an answer in a flood of tiny pieces or of interim answers', async () => {
    const answers = (text: string) => async (more: Partial<OutboundRequest>) => {
      const server = net.createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.end(text));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const plain = { allowPrivate: true, allowPlain: true, timeoutMs: 60_000, ...more };
      return open.request(get(`http://127.0.0.1:${port}/`, plain)).finally(() => server.close());
    };
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    const tiny = answers(`${head}${'1\r\nx\r\n'.repeat(200_000)}0\r\n\r\n`);
    await assert.rejects(tiny({ maxBytes: 1_000_000 }), failedAs('malformed_answer'));
    await assert.rejects(tiny({ maxBytes: 4096 }), failedAs('answer_too_large'));
    const cut = await tiny({ maxBytes: 1_000_000, overflow: 'cut' });
    assert.deepEqual([cut.status, cut.truncated, cut.body.length <= 20_000], [200, true, true]);
    const small = await answers(`${head}${`20\r\n${'x'.repeat(32)}\r\n`.repeat(20_000)}0\r\n\r\n`)({
      maxBytes: 640_000,
    });
    assert.equal(small.body.length, 640_000);
    const interim = (count: number) =>
      answers(
        `${'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'.repeat(count)}HTTP/1.1 204 No Content\r\n\r\n`,
      );
    assert.equal((await interim(5)({})).status, 204);
    for (const overflow of ['cut', 'refuse'] as const)
      await assert.rejects(interim(200)({ overflow }), failedAs('malformed_answer'));
    await assert.rejects(answers('HTTP/1.1 099 X\r\n\r\n')({}), failedAs('malformed_answer'));
  });

  it('reads a body of exactly the limit', async () => {
    await withTlsServer(
      (_request, response) => response.end('x'.repeat(1000)),
      async (base) => assert.equal((await open.request(get(`${base}/`))).body.length, 1000),
    );
  });

  it('fails on an answer that ends too early, has endless headers, or is no HTTP', async () => {
    for (const [text, reason] of [
      ['HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort', 'connection_failed'],
      [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, 'malformed_answer'],
      ['SSH-2.0-OpenSSH_9.2\r\n', 'malformed_answer'],
      ['HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'malformed_answer'],
      ['', 'connection_failed'],
    ] as const) {
      await withTlsServer(
        (request) => void request.socket.end(text),
        async (base) => assert.rejects(open.request(get(`${base}/`)), failedAs(reason), text.slice(0, 30)),
      );
    }
  });

  it('fails on a certificate for another name, or of an unknown authority', async () => {
    await withTlsServer(
      (_request, response) => response.end('ok'),
      async (base, { port }) => {
        await assert.rejects(open.request(get(`https://other.example:${port}/`)), failedAs('tls_failed'));
        const strict = createOutboundClient({ resolve: async () => [LOOPBACK], permits: () => true });
        await assert.rejects(strict.request(get(`${base}/`)), failedAs('tls_failed'));
      },
    );
  });

  it('fails when nobody listens, and when the peer speaks no TLS', async () => {
    const closed = await startMuteServer();
    await closed.stop();
    await assert.rejects(
      open.request(get(`https://agent.example:${closed.port}/`)),
      failedAs('connection_failed'),
    );
    await withListener(
      startMuteServer((socket) => socket.end('220 mail.example ESMTP\r\n')),
      async (base) => assert.rejects(open.request(get(`${base}/`)), failedAs('tls_failed')),
    );
  });

  describe('the deadline of a request', () => {
    const rejectsAtDeadline = (request: Promise<unknown>): Promise<void> =>
      assert.rejects(request, failedAs('deadline'));
    const soon = { timeoutMs: 200, maxBytes: 1_000_000 };

    it('ends it while a name is looked up', () =>
      rejectsAtDeadline(
        createOutboundClient({ resolve: () => new Promise(() => undefined) }).request(
          get('https://agent.example/', soon),
        ),
      ));

    it('ends it while TLS is negotiated', () =>
      withListener(startMuteServer(), (base) => rejectsAtDeadline(open.request(get(`${base}/`, soon)))));

    it('ends it while headers trickle in', () =>
      withTlsServer(
        (request) => {
          request.socket.write('HTTP/1.1 200 OK\r\n');
          const timer = setInterval(() => request.socket.write('x: y\r\n'), 20);
          request.socket.on('close', () => clearInterval(timer));
        },
        (base) => rejectsAtDeadline(open.request(get(`${base}/`, soon))),
      ));

    it('ends it while a body trickles in', () =>
      withTlsServer(
        (_request, response) => {
          const timer = setInterval(() => response.write('x'), 20);
          response.on('close', () => clearInterval(timer));
        },
        (base) => rejectsAtDeadline(open.request(get(`${base}/`, soon))),
      ));

    it('leaves no connection behind', () =>
      withTlsServer(
        () => undefined,
        async (base, server) => {
          await rejectsAtDeadline(open.request(get(`${base}/`, soon)));
          await server.waitUntilIdle();
        },
      ));

    it('ends it while interim answers go on', () =>
      withTlsServer(
        (_request, response) => {
          const timer = setInterval(() => response.writeProcessing(), 20);
          response.on('close', () => clearInterval(timer));
        },
        (base) => rejectsAtDeadline(open.request(get(`${base}/`, soon))),
      ));
  });
});
