import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fastify from 'fastify';
import type { App } from './app.ts';
import { handlePipelinedInTurn } from './pipelined-requests.ts';

describe('requests that a client sends without waiting for answers (case 366)', () => {
  let app: App;
  let begun: string[];
  let underWay: number;
  let atOnce: number;
  let release: () => void;
  let released: Promise<void>;

  beforeEach(async () => {
    [begun, underWay, atOnce] = [[], 0, 0];
    ({ promise: released, resolve: release } = Promise.withResolvers<void>());
    app = fastify();
    handlePipelinedInTurn(app);
    app.get('/:name', async (request) => {
      begun.push((request.params as { name: string }).name);
      atOnce = Math.max(atOnce, ++underWay);
      await released;
      await new Promise(setImmediate);
      underWay--;
      return request.params;
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(() => app.close());

  const getPort = (): number => (app.server.address() as AddressInfo).port;

  /** Sends requests for these names on one connection, all at once. */
  async function pipeline(names: readonly string[]): Promise<Socket> {
    const socket = net.connect(getPort(), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(names.map((name) => `GET /${name} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''));
    return socket;
  }

  const nameMany = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

  it('are handled one after the other on each connection, and answered in their order', async () => {
    const names = nameMany(100);
    const socket = await pipeline(names);
    let answers = '';
    const all = new Promise<void>((resolve) => {
      socket.on('data', (bytes) => {
        answers += String(bytes);
        if (answers.includes('"n99"')) resolve();
      });
    });
    release();
    await all;
    assert.equal(atOnce, 1);
    assert.deepEqual(begun, names);
    assert.deepEqual(
      [...answers.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name),
      names,
    );
    socket.destroy();
  });

  it('are never begun when their client has left', async () => {
    const ended = new Promise((resolve) => {
      app.server.once('connection', (served: Socket) => served.once('close', resolve));
    });
    const socket = await pipeline(['first', 'second', 'third']);
    while (begun.length === 0) await new Promise(setImmediate);
    socket.destroy();
    await ended;
    release();
    const answer = await fetch(`http://127.0.0.1:${getPort()}/other`);
    assert.equal(answer.status, 200);
    assert.deepEqual(begun, ['first', 'other']);
  });

  it('end the connection where too many of them wait', async () => {
    const socket = await pipeline(nameMany(102));
    socket.resume();
    await once(socket, 'close');
    assert.deepEqual(begun, ['n0']);
    release();
  });
});
