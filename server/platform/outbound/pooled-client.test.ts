import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, it, mock } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createTestAuthority } from '../../../test/harness/tls/authority.ts';
import {
  certificate,
  startMuteServer,
  startTlsServer,
  type Listener,
} from '../../../test/harness/tls/server.ts';
import { OutboundFailedError, OutboundRefusedError, type OutboundRequest } from './request.ts';
import { createOutboundClient, type OutboundClient } from './outbound-client.ts';
import { createPooledClient, type PooledClient } from './outbound-client.ts';
import type { ResolvedAddress } from './resolve-name.ts';

type Options = NonNullable<Parameters<typeof createPooledClient>[0]>;
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const at = (...addresses: string[]): ResolvedAddress[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const LOOPBACK = at('127.0.0.1');

const refusedAs = (reason: string) => (error: unknown) =>
  error instanceof OutboundRefusedError && error.reason === reason;
const failedAs = (reason: string) => (error: unknown) =>
  error instanceof OutboundFailedError && error.reason === reason;

const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"a":1.00}',
  timeoutMs: 60_000,
  maxBytes: 1000,
  ...more,
});

/** The real guard, except that loopback passes and every name resolves to 127.0.0.1. */
const OPEN: Options = {
  resolve: async () => LOOPBACK,
  permits: (address) => address === '127.0.0.1',
  ca: certificate,
};

interface Context {
  base: string;
  port: number;
  server: Listener;
  client: PooledClient;
}

async function withPooledClient(
  handler: Handler,
  use: (context: Context) => Promise<void>,
  options: Options = {},
): Promise<void> {
  const server = await startTlsServer(handler);
  const client = createPooledClient({ ...OPEN, ...options });
  const { port } = server;
  try {
    await use({ base: `https://agent.example:${port}`, port, server, client });
  } finally {
    await client.close();
    await server.stop();
  }
}

const ok: Handler = (_request, response) => void response.end('ok');

/** Lets mocked time pass until the promise has settled, but not for ever. */
async function settleInMockedTime<T>(waited: Promise<T>, ms = 10): Promise<T> {
  const state = { settled: false };
  const end = (): void => void (state.settled = true);
  waited.then(end, end);
  const until = Date.now() + 60_000;
  while (!state.settled) {
    assert.ok(Date.now() < until, 'it never settles');
    mock.timers.tick(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return waited;
}

/** `from` is when time begins to pass; what was sent until then has arrived by some turns later. */
async function whileTimePasses<T>(
  ms: number,
  work: () => Promise<T>,
  from: Promise<void> = Promise.resolve(),
): Promise<T> {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const waited = work();
    await from;
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    return await settleInMockedTime(waited, ms);
  } finally {
    mock.timers.reset();
  }
}

describe('the pooled client', () => {
  it('sends requests one after the other over one connection, with method, headers and body', async () => {
    const seen: unknown[] = [];
    await withPooledClient(
      async (request, response) => {
        const body = String(Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)));
        seen.push({ ...request.headers, method: request.method, url: request.url, body });
        response.setHeader('x', ['a', 'b']).setHeader('set-cookie', ['c', 'd']).writeHead(202);
        response.end('ok');
      },
      async ({ base, port, server, client }) => {
        for (let i = 0; i < 5; i++) {
          const answer = await client.request(post(`${base}/hook?a=b#part`));
          assert.equal(answer.status, 202);
          assert.equal(answer.headers['x'], 'a, b');
          assert.deepEqual(answer.headers['set-cookie'], ['c', 'd']);
          assert.equal(answer.body.toString(), 'ok');
          assert.equal(answer.truncated, undefined);
          assert.deepEqual(seen[i], {
            host: `agent.example:${port}`,
            connection: 'keep-alive',
            'content-type': 'application/json',
            'content-length': '10',
            'user-agent': 'Chartgate/1.0',
            'accept-encoding': 'identity',
            method: 'POST',
            url: '/hook?a=b',
            body: '{"a":1.00}',
          });
        }
        assert.equal(server.connections(), 1);
      },
    );
  });

  it('never opens more connections than permitted, and serves all requests', async () => {
    let open = 0;
    let most = 0;
    await withPooledClient(
      (_request, response) => {
        most = Math.max(most, ++open);
        setTimeout(() => response.end(String(open--)), 5);
      },
      async ({ base, server, client }) => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => client.request(post(`${base}/`))));
        assert.ok(answers.every(({ status }) => status === 200));
        assert.ok(most <= 3);
        assert.equal(server.connections(), 3);
      },
      { maxConnections: 3 },
    );
  });

  it('rejects a request whose deadline passes while it waits for a connection, and keeps no slot for it', async () => {
    await withPooledClient(
      (request, response) => void (request.url === '/' && response.end()),
      async ({ base, client }) => {
        const ended: string[] = [];
        const hanging = [300, 50].map((timeoutMs) =>
          client.request(post(`${base}/hang`, { timeoutMs })).catch(() => ended.push(`after ${timeoutMs}`)),
        );
        await Promise.all(hanging);
        assert.deepEqual(ended, ['after 50', 'after 300']);
        assert.equal((await client.request(post(`${base}/`))).status, 200);
      },
      { maxConnections: 1 },
    );
  });

  it('opens a new connection after an answer with connection: close', async () => {
    await withPooledClient(
      (_request, response) => response.writeHead(200, { connection: 'close' }).end('ok'),
      async ({ base, server, client }) => {
        for (const expected of [1, 2]) {
          assert.equal((await client.request(post(`${base}/`))).body.toString(), 'ok');
          assert.equal(server.connections(), expected);
        }
      },
    );
  });

  it('closes a connection that is idle for half a minute', async () => {
    await withPooledClient(
      // By default, node announces how long it keeps a connection.
      (_request, response) => response.writeHead(200, { connection: 'keep-alive' }).end(),
      async ({ base, server, client }) => {
        mock.timers.enable({ apis: ['setTimeout'] });
        try {
          await client.request(post(`${base}/`));
          await new Promise((resolve) => setImmediate(resolve));
          mock.timers.tick(29_000);
          await client.request(post(`${base}/`));
          assert.equal(server.connections(), 1);
          await new Promise((resolve) => setImmediate(resolve));
          mock.timers.tick(30_000);
          await settleInMockedTime(server.waitUntilIdle(), 1);
        } finally {
          mock.timers.reset();
        }
      },
    );
  });

  it('keeps connections to a limited number of peers', async () => {
    await withPooledClient(
      ok,
      async ({ port, server, client }) => {
        for (const host of ['a', 'b', 'b', 'a'])
          await client.request(post(`https://${host}.agent.example:${port}/`));
        assert.equal(server.connections(), 3);
      },
      { maxPeers: 1 },
    );
  });
});

describe('the guard of the pooled client', () => {
  const LITERALS = `
    127.0.0.1 127.1 0 0.0.0.0 2130706433 0x7f000001 0177.0.0.1 127。0。0。1 %31%32%37.0.0.1 10.0.0.1 172.16.0.1 192.168.0.1
    169.254.169.254 0xa9fea9fe 2852039166 100.64.0.1 100.100.100.200 168.63.129.16 224.0.0.1 255.255.255.255
    [::] [::1] [::127.0.0.1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:169.254.169.254] [64:ff9b::7f00:1]
    [2002:7f00:1::] [fc00::1] [fd00:ec2::254] [fe80::1] [fe80::1%25lo] [ff02::1] localhost a.localhost intranet agent.example.
  `;
  for (const host of LITERALS.trim().split(/\s+/)) {
    it(`never connects to ${host}`, async () => {
      const target = await startMuteServer();
      const client = createPooledClient({ resolve: async () => LOOPBACK });
      await assert.rejects(client.request(post(`https://${host}:${target.port}/`)), OutboundRefusedError);
      assert.equal(target.connections(), 0);
      await target.stop();
    });
  }

  it('refuses a name that resolves to other addresses now, though a connection is open', async () => {
    let addresses = LOOPBACK;
    const received: string[] = [];
    await withPooledClient(
      (request, response) => response.end(String(received.push(request.url ?? ''))),
      async ({ base, server, client }) => {
        await client.request(post(`${base}/1`));
        for (const elsewhere of [at('127.0.0.2'), at('127.0.0.1', '127.0.0.2'), at('127.0.0.1', '::1')]) {
          addresses = elsewhere;
          await assert.rejects(client.request(post(`${base}/no`)), refusedAs('address_not_public'));
        }
        addresses = LOOPBACK;
        await client.request(post(`${base}/2`));
        assert.deepEqual(received, ['/1', '/2']);
        assert.equal(server.connections(), 1);
      },
      { resolve: async () => addresses, lookupTtlMs: 0 },
    );
  });

  it('reuses a connection only for exactly the addresses it was made for, in any order', async () => {
    let addresses = LOOPBACK;
    await withPooledClient(
      ok,
      async ({ base, server, client }) => {
        for (const [now, connections] of [
          [['127.0.0.1'], 1],
          [['127.0.0.1', '127.0.0.3'], 2],
          [['127.0.0.3', '127.0.0.1'], 2],
        ] as const) {
          addresses = at(...now);
          await client.request(post(`${base}/`));
          assert.equal(server.connections(), connections, now.join());
        }
      },
      { resolve: async () => addresses, permits: () => true, lookupTtlMs: 0 },
    );
  });

  it('reuses no connection to a private network for a request without allowPrivate', async () => {
    await withPooledClient(
      ok,
      async ({ base, server, client }) => {
        await client.request(post(`${base}/`, { allowPrivate: true }));
        await assert.rejects(client.request(post(`${base}/`)), refusedAs('address_not_public'));
        assert.equal(server.connections(), 1);
      },
      { permits: (_address, allowPrivate) => allowPrivate },
    );
  });

  it('reuses no connection for a request of somebody else', () =>
    withPooledClient(ok, async ({ base, server, client }) => {
      for (const owner of ['one', 'two', 'one', 'two']) await client.request(post(base, { owner }));
      assert.equal(server.connections(), 2);
    }));

  it('shares a DNS answer among simultaneous requests, for a limited time', async () => {
    const received: string[] = [];
    const resolve = async (host: string): Promise<ResolvedAddress[]> => (received.push(host), LOOPBACK);
    const all = async ({ port, client }: Context): Promise<void> => {
      for (const _ of [1, 2])
        await Promise.all(
          ['a', 'a', 'b', 'a'].map((host) => client.request(post(`https://${host}.agent.example:${port}/`))),
        );
    };
    await withPooledClient(ok, all, { resolve, lookupTtlMs: 60_000 });
    assert.deepEqual(received.splice(0), ['a.agent.example', 'b.agent.example']);
    await withPooledClient(ok, all, { resolve, lookupTtlMs: 0 });
    assert.equal(received.length, 8);
  });

  it('asks DNS again after a failure', async () => {
    const answers = [() => Promise.reject(new Error('ENOTFOUND')), async () => LOOPBACK];
    await withPooledClient(
      ok,
      async ({ base, client }) => {
        await assert.rejects(client.request(post(`${base}/`)), failedAs('name_not_resolved'));
        assert.equal((await client.request(post(`${base}/`))).status, 200);
      },
      { resolve: () => answers.shift()?.() ?? assert.fail('resolved too often'), lookupTtlMs: 60_000 },
    );
  });

  it('follows no redirect', async () => {
    const target = await startMuteServer();
    for (const status of [301, 302, 303, 307, 308]) {
      await withPooledClient(
        (_request, response) =>
          response.writeHead(status, { location: `https://127.0.0.1:${target.port}/` }).end(),
        async ({ base, client }) => assert.equal((await client.request(post(`${base}/`))).status, status),
      );
    }
    assert.equal(target.connections(), 0);
    await target.stop();
  });
});

describe('TLS of the pooled client', () => {
  it('negotiates HTTP/1.1 under the name of the URL, or without a name for an address', async () => {
    const authority = await createTestAuthority();
    const seen: unknown[] = [];
    const server = https.createServer(
      {
        ...(await authority.issue(['hooks.example', '127.0.0.1', '::1'])),
        ALPNProtocols: ['h2', 'http/1.1'],
      },
      ({ socket }, response) => {
        const { servername, alpnProtocol } = socket as TLSSocket & { servername: string | false };
        response.end(String(seen.push([servername, alpnProtocol])));
      },
    );
    server.listen(0, '::');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = createPooledClient({
      resolve: async () => LOOPBACK,
      permits: () => true,
      ca: authority.cert,
    });
    try {
      for (const host of ['hooks.example', '127.0.0.1', '[::1]'])
        await client.request(post(`https://${host}:${port}/`));
      assert.deepEqual(seen, [
        ['hooks.example', 'http/1.1'],
        [false, 'http/1.1'],
        [false, 'http/1.1'],
      ]);
    } finally {
      await client.close();
      server.closeAllConnections();
      server.close();
    }
  });

  it('fails, however often, on a certificate that is not valid for the host', async () => {
    const [authority, foreign] = await Promise.all([createTestAuthority(), createTestAuthority('Another')]);
    const past = { from: new Date('2020-01-01'), until: new Date('2021-01-01') };
    const future = { from: new Date('2120-01-01'), until: new Date('2121-01-01') };
    for (const [why, identity] of [
      ['another name', await authority.issue(['other.example', '*.hooks.example', '127.0.0.1'])],
      ['expired', await authority.issue(['hooks.example'], past)],
      ['not valid yet', await authority.issue(['hooks.example'], future)],
      ['an authority nobody knows', await foreign.issue(['hooks.example'])],
      ['signed by itself', foreign],
    ] as const) {
      // With TLS 1.2, sessions exist before a certificate is checked.
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
        const server = await startTlsServer(ok, { ...identity, maxVersion });
        const client = createPooledClient({ ...OPEN, ca: authority.cert });
        try {
          for (const _ of [1, 2])
            await assert.rejects(
              client.request(post(`https://hooks.example:${server.port}/`)),
              failedAs('tls_failed'),
              `${why}, ${maxVersion}`,
            );
          await server.waitUntilIdle();
        } finally {
          await server.stop();
        }
      }
    }
  });

  it('fails when nobody listens, and when the peer speaks no TLS', async () => {
    const client = createPooledClient(OPEN);
    const closed = await startMuteServer();
    await closed.stop();
    const url = ({ port }: Listener): string => `https://agent.example:${port}/`;
    await assert.rejects(client.request(post(url(closed))), failedAs('connection_failed'));
    const plain = await startMuteServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
    await assert.rejects(client.request(post(url(plain))), failedAs('tls_failed'));
    await plain.stop();
  });
});

describe('a connection that does not open before the deadline', () => {
  it('is closed', async () => {
    // Without reading, the server would not notice that the connection ended.
    const silent = await startMuteServer((socket) => socket.resume());
    const response = createPooledClient(OPEN).request(
      post(`https://agent.example:${silent.port}/`, { timeoutMs: 100 }),
    );
    await assert.rejects(response, failedAs('deadline'));
    await silent.waitUntilIdle();
    await silent.stop();
  });
});

describe('a pooled connection that the peer closed', () => {
  /** Answers the first request on each connection and passes every other one to `then`. */
  const once = (then: (request: IncomingMessage) => void, received: string[]): Handler => {
    const known = new WeakSet<object>();
    return (request, response) => {
      received.push(request.url ?? '');
      if (known.has(request.socket)) return then(request);
      known.add(request.socket);
      response.end('ok');
    };
  };

  it('is replaced when it was closed while idle', async () => {
    const received: string[] = [];
    let last: IncomingMessage | null = null;
    await withPooledClient(
      (request, response) => {
        received.push(request.url ?? '');
        last = request;
        response.end('ok');
      },
      async ({ base, server, client }) => {
        for (const end of ['destroy', 'destroySoon', 'reset'] as const) {
          await client.request(post(`${base}/`));
          if (end === 'reset') server.reset(last ?? assert.fail());
          else last?.socket[end]();
          assert.equal((await client.request(post(`${base}/`))).status, 200, end);
        }
        assert.equal(server.connections(), 4);
        assert.equal(received.length, 6, 'nothing was sent twice');
      },
    );
  });

  for (const way of ['end', 'reset'] as const) {
    it(`has its request sent once more on a new connection, after ${way}`, async () => {
      const received: string[] = [];
      let listener: Listener | null = null;
      const end = (request: IncomingMessage): void =>
        way === 'end' ? void request.socket.destroy() : listener?.reset(request);
      await withPooledClient(once(end, received), async ({ base, server, client }) => {
        listener = server;
        await client.request(post(`${base}/1`));
        assert.equal((await client.request(post(`${base}/2`))).body.toString(), 'ok');
        assert.deepEqual(received, ['/1', '/2', '/2']);
        assert.equal(server.connections(), 2);
      });
    });
  }

  it('fails the request when the new connection is closed too, or was the first', async () => {
    const received: string[] = [];
    let good = true;
    await withPooledClient(
      (request, response) => {
        received.push(request.url ?? '');
        if (good) response.end();
        else request.socket.destroy();
      },
      async ({ base, client }) => {
        await client.request(post(`${base}/1`));
        good = false;
        await assert.rejects(client.request(post(`${base}/2`)), failedAs('connection_failed'));
        assert.deepEqual(received.splice(0), ['/1', '/2', '/2']);
        await assert.rejects(client.request(post(`${base}/3`)), failedAs('connection_failed'));
        assert.deepEqual(received, ['/3']);
      },
    );
  });

  it('fails the request when an answer had begun, also an interim one', async () => {
    for (const begun of ['HTTP/1.1 200 O', 'HTTP/1.1 102 Processing\r\n\r\n']) {
      const received: string[] = [];
      await withPooledClient(
        once((request) => void request.socket.end(begun), received),
        async ({ base, client }) => {
          await client.request(post(`${base}/1`));
          await assert.rejects(client.request(post(`${base}/2`)), failedAs('connection_failed'));
          assert.deepEqual(received, ['/1', '/2']);
        },
      );
    }
  });
});

/** What both clients do alike. */
for (const [way, make] of [
  ['once', (options: Options): OutboundClient => createOutboundClient(options)],
  ['pooled', (options: Options): OutboundClient => createPooledClient(options)],
] as const) {
  describe(`an answer on a ${way === 'once' ? 'connection of its own' : 'pooled connection'}`, () => {
    const withClient = (
      handler: Handler,
      use: (
        send: (more?: Partial<OutboundRequest>) => ReturnType<OutboundClient['request']>,
        server: Listener,
      ) => Promise<void>,
    ): Promise<void> =>
      withPooledClient(handler, async ({ base, server }) => {
        const client = make(OPEN);
        await use((more) => client.request(post(`${base}/`, more)), server);
      });

    for (const [what, text, reason] of [
      ['ends too early', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort', 'connection_failed'],
      [
        'ends too early and last',
        'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9\r\n\r\nx',
        'connection_failed',
      ],
      ['has endless headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, 'malformed_answer'],
      ['has a flood of headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`, 'malformed_answer'],
      ['is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'malformed_answer'],
      ['has a header that is none', 'HTTP/1.1 200 OK\r\nx y\r\n\r\n', 'malformed_answer'],
      [
        'changes the protocol',
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
        'malformed_answer',
      ],
      ['is none', '', 'connection_failed'],
      ['is too long', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1001)}`, 'answer_too_large'],
      ['is announced as too long', 'HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n', 'answer_too_large'],
    ] as const) {
      it(`fails the request when it ${what}: ${reason}`, () =>
        withClient(
          (request) => void request.socket.end(text),
          async (send, server) => {
            await assert.rejects(send(), failedAs(reason));
            await server.waitUntilIdle();
          },
        ));
    }

    it('is read to exactly the limit', () =>
      withClient(
        (_request, response) => response.end('x'.repeat(1000)),
        async (send) => assert.equal((await send()).body.length, 1000),
      ));

    for (const [what, begin] of [
      ['is only looked up', null],
      ['says nothing', () => undefined],
      [
        'sends its headers slowly',
        (request: IncomingMessage) => {
          request.socket.write('HTTP/1.1 200 OK\r\n');
          const timer = setInterval(() => request.socket.write('x: y\r\n'), 20);
          request.socket.on('close', () => clearInterval(timer));
        },
      ],
      [
        'sends its body slowly',
        (_request: IncomingMessage, response: ServerResponse) => {
          const timer = setInterval(() => response.write('x'), 20);
          response.on('close', () => clearInterval(timer));
        },
      ],
    ] as const) {
      it(`misses the deadline when the peer ${what}, and leaves no connection behind`, () =>
        withPooledClient(begin ?? ok, async ({ base, server }) => {
          const resolve = begin ? OPEN.resolve : (): Promise<never> => new Promise(() => undefined);
          const client = make({ ...OPEN, ...(resolve && { resolve }) });
          await assert.rejects(client.request(post(`${base}/`, { timeoutMs: 150 })), failedAs('deadline'));
          await server.waitUntilIdle();
        }));
    }

    describe('that may be truncated', () => {
      const cut = { overflow: 'cut', maxBytes: 10 } as const;

      it('is complete within the limit', () =>
        withClient(
          (_request, response) => response.end('0123456789'),
          async (send) => {
            const { status, body, truncated } = await send(cut);
            assert.deepEqual([status, String(body), truncated], [200, '0123456789', undefined]);
          },
        ));

      for (const [what, handler] of [
        ['longer', (_request, response) => response.end('0123456789a')],
        ['much longer', (_request, response) => response.end('0123456789'.repeat(100_000))],
        [
          'announced as longer',
          (_request, response) => response.writeHead(200, { 'content-length': 90 }).write('0123456789a'),
        ],
      ] as [string, Handler][]) {
        it(`is truncated when it is ${what}`, () =>
          withClient(handler, async (send, server) => {
            const { status, body, truncated } = await send(cut);
            assert.deepEqual([status, String(body), truncated], [200, '0123456789', true]);
            await server.waitUntilIdle();
          }));
      }

      it('counts by its status though its body breaks off', () =>
        withClient(
          (request) => void request.socket.end('HTTP/1.1 201 OK\r\ncontent-length: 9\r\n\r\nsho'),
          async (send) => {
            const { status, body, truncated } = await send(cut);
            assert.deepEqual([status, String(body), truncated], [201, 'sho', true]);
          },
        ));

      it('counts by its status though its body does not end: a second later, or at the deadline', () => {
        let onBegun: () => void = () => undefined;
        return withClient(
          (_request, response) => void response.write('begun', onBegun),
          async (send, server) => {
            const begun = new Promise<void>((resolve) => (onBegun = resolve));
            // The time of the deadline passes when the answer has begun, however slow this machine is.
            const atDeadline = await whileTimePasses(200, () => send({ ...cut, timeoutMs: 200 }), begun);
            const aSecondLater = await whileTimePasses(1000, () => send({ ...cut, timeoutMs: 1e9 }));
            for (const { status, body, truncated } of [atDeadline, aSecondLater]) {
              assert.deepEqual([status, truncated], [200, true]);
              assert.ok('begun'.startsWith(String(body)));
            }
            await server.waitUntilIdle();
          },
        );
      });

      it('does not count by the status of an interim answer', async () => {
        const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n';
        await withClient(
          (request) => void request.socket.end(`${interim}HTTP/1.1 201 OK\r\ncontent-length: 0\r\n\r\n`),
          async (send) => assert.equal((await send(cut)).status, 201),
        );
        await withClient(
          (request) => void request.socket.end(interim),
          (send) => assert.rejects(send(cut), failedAs('connection_failed')),
        );
      });

      it('misses the deadline while its headers do not come', () =>
        withClient(
          () => undefined,
          (send) => assert.rejects(send({ ...cut, timeoutMs: 100 }), failedAs('deadline')),
        ));
    });

    describe('to an aborted request', () => {
      it('is not awaited: the request rejects with the reason of its signal', () =>
        withClient(
          () => undefined,
          async (send, server) => {
            const reason = new Error('enough');
            await assert.rejects(send({ signal: AbortSignal.abort(reason) }), reason);
            assert.equal(server.connections(), 0);
            const controller = new AbortController();
            const response = send({ signal: controller.signal });
            setTimeout(() => controller.abort(reason), 50);
            await assert.rejects(response, reason);
            await server.waitUntilIdle();
            await assert.rejects(send({ signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' });
          },
        ));

      it('is awaited for as long as it may go on after its signal', async () => {
        const controller = new AbortController();
        await withClient(
          (_request, response) => {
            controller.abort();
            setTimeout(() => response.end(), 20);
          },
          async (send) =>
            assert.equal((await send({ signal: controller.signal, graceMs: 60_000 })).status, 200),
        );
        const reason = new Error('enough');
        const other = new AbortController();
        await withClient(
          () => other.abort(reason),
          (send) => assert.rejects(send({ signal: other.signal, graceMs: 20 }), reason),
        );
      });
    });
  });
}

describe('closing the pooled client', () => {
  it('closes idle connections at once, and others after their answers', async () => {
    const slow = Promise.withResolvers<() => void>();
    await withPooledClient(
      (request, response) => {
        if (request.url === '/') response.end();
        else slow.resolve(() => response.end('late'));
      },
      async ({ base, server, client }) => {
        await client.request(post(`${base}/`));
        await client.close();
        await server.waitUntilIdle();
        await assert.rejects(client.request(post(`${base}/`)), { name: 'AbortError' });

        const other = createPooledClient(OPEN);
        const running = other.request(post(`${base}/slow`));
        const answer = await slow.promise;
        let isClosed = false;
        // The second that a close has to wait does not pass, however busy the machine is.
        mock.timers.enable({ apis: ['setTimeout'] });
        try {
          const closed = other.close().then(() => (isClosed = true));
          for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
          assert.equal(isClosed, false);
          answer();
          assert.equal((await running).body.toString(), 'late');
          await closed;
        } finally {
          mock.timers.reset();
        }
        await server.waitUntilIdle();
      },
    );
  });

  it('aborts requests that hang after a second', async () => {
    await withPooledClient(
      () => undefined,
      async ({ base, server, client }) => {
        const ended = await whileTimePasses(1000, async () => {
          const all = [1, 2, 3].map(() => client.request(post(`${base}/`, { timeoutMs: 1e9 })));
          while (server.connections() < 2) await new Promise((resolve) => setImmediate(resolve));
          await client.close();
          return Promise.allSettled(all);
        });
        for (const { status, reason } of ended as PromiseRejectedResult[])
          assert.deepEqual([status, (reason as Error).name], ['rejected', 'AbortError']);
        await server.waitUntilIdle();
      },
      { maxConnections: 2 },
    );
  });
});
