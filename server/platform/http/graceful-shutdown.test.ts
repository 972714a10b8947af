import assert from 'node:assert/strict';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { createServer } from './server.ts';

describe('a server that is stopped while a request is under way', () => {
  for (const [name, begun, told] of [
    ['that has not begun to be answered', false, 'close'],
    ['of which the answer has begun', true, 'keep-alive'],
  ] as const)
    it(`ends with it, though its client would keep the connection: one ${name}`, async (t) => {
      const app = createServer({
        logLevel: 'silent',
        allowedHosts: ['127.0.0.1'],
        trustedProxies: [],
        endpoints: [],
      });
      const asked = Promise.withResolvers<void>();
      const stopped = Promise.withResolvers<void>();
      app.get('/slow', async () => {
        asked.resolve();
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
      await (begun ? answered : asked.promise);
      const closed = app.close();
      setImmediate(stopped.resolve);
      const answer = await answered;
      assert.equal(answer.headers.connection, told);
      assert.equal(Buffer.concat(await answer.toArray()).toString(), 'begun ended');
      // Waits for the client otherwise, longer than a test takes.
      await closed;
    });
});
