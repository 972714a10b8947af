import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { countTimers } from '../../../test/harness/count-timers.ts';
import type { StopLimits } from './graceful-shutdown.ts';
import { createServer } from './server.ts';

const createTestServer = (stopLimits?: StopLimits) =>
  createServer({
    logLevel: 'silent',
    allowedHosts: ['127.0.0.1'],
    trustedProxies: [],
    endpoints: [],
    stopLimits,
  });

describe('a server that stops', () => {
  it('closes a connection on which no request has begun, though whoever opened it would keep it', async () => {
    const app = createTestServer();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const accepted = once(app.server, 'connection');
    const socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    await accepted;
    const ended = new Promise((resolve) => socket.once('close', resolve));
    // Without the hook this would wait for the client.
    await app.close();
    await ended;
  });

  it('leaves nothing that keeps the process alive when no connection is left', async () => {
    const app = createTestServer();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const before = countTimers();
    await app.close();
    assert.equal(countTimers(), before);
  });
});

describe('a request that comes on an open connection when the stop has begun', () => {
  it('is answered as ever, and its connection closed', async () => {
    const app = createTestServer();
    app.get('/late', async () => 'answered');
    const stopping = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    app.addHook('preClose', async () => {
      stopping.resolve();
      await requested.promise;
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const accepted = once(app.server, 'connection');
    const socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    await accepted;
    const closed = app.close();
    await stopping.promise;
    app.server.once('request', () => requested.resolve());
    socket.write('GET /late HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    const answer = Buffer.concat(await socket.toArray()).toString();
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /^connection: close\r$/im);
    assert.match(answer, /answered$/);
    await closed;
  });
});

describe('a server that stops during a request', () => {
  for (const [name, begun, connection] of [
    ['before the response', false, 'close'],
    ['during the response', true, 'keep-alive'],
  ] as const)
    it(`closes the connection after the response, though the client would keep it: stopped ${name}`, async (t) => {
      const app = createTestServer();
      const requested = Promise.withResolvers<void>();
      const stopped = Promise.withResolvers<void>();
      app.get('/slow', async () => {
        requested.resolve();
        if (!begun) await stopped.promise;
        return Readable.from(
          (async function* () {
            yield 'begun ';
            await stopped.promise;
            yield 'ended';
          })(),
        );
      });
      await app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.server.address() as AddressInfo;
      const agent = new http.Agent({ keepAlive: true });
      t.after(() => agent.destroy());
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        http.get({ port, host: '127.0.0.1', path: '/slow', agent }, resolve).once('error', reject);
      });
      await (begun ? answered : requested.promise);
      const closed = app.close();
      setImmediate(stopped.resolve);
      const answer = await answered;
      assert.equal(answer.headers.connection, connection);
      assert.equal(Buffer.concat(await answer.toArray()).toString(), 'begun ended');
      // Without the hook this would wait for the client.
      await closed;
    });
});

describe('a server that stops while a client takes its time', () => {
  it('answers 503 to a request whose body has not arrived, and waits no longer', async () => {
    const app = createTestServer({ bodiesMs: 10, answersMs: 60_000 });
    app.post('/slow', async () => 'arrived');
    await app.listen({ port: 0, host: '127.0.0.1' });
    const requested = once(app.server, 'request');
    const socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST /slow HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n');
    socket.write('content-length: 100\r\n\r\n{');
    await requested;
    const closed = app.close();
    const answer = Buffer.concat(await socket.toArray()).toString();
    assert.match(answer, /^HTTP\/1\.1 503 .*"code":"stopping"/s);
    await closed;
  });

  it('waits no longer for the rest of a body that was refused before it had arrived', async () => {
    const app = createTestServer({ bodiesMs: 10, answersMs: 60_000 });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST /absent HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/octet-stream\r\n');
    socket.write('content-length: 100\r\n\r\n{');
    await once(socket, 'data');
    await app.close();
    socket.destroy();
  });

  it('cuts off an answer that does not end', async () => {
    const app = createTestServer({ bodiesMs: 5, answersMs: 10 });
    const requested = Promise.withResolvers<void>();
    app.get('/endless', async () => {
      requested.resolve();
      return new Promise(() => {});
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const answered = new Promise((_resolve, reject) => {
      http.get({ port, host: '127.0.0.1', path: '/endless' }).once('error', reject);
    });
    await requested.promise;
    const closed = app.close();
    await assert.rejects(answered, { code: 'ECONNRESET' });
    await closed;
  });
});
