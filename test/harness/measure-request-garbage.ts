import net, { type AddressInfo } from 'node:net';
import type { EndpointDefinition } from '../../contract/endpoint.ts';
import { serveRaw, type Routes } from '../../server/platform/http/serve.ts';
import { createServer } from '../../server/platform/http/server.ts';

/**
 * Measures what is left of requests that have been answered, until the whole heap is collected. A program of its own: the test
 * runner follows each promise. `node --expose-gc measure-request-garbage.ts` prints bytes of each request, by path.
 */
const REQUESTS = 2_000;
const CONNECTIONS = 4;

/** A request that is still there is seen by it. */
const FILLER = 'x'.repeat(6_000);

const collect = (globalThis as unknown as { gc(options?: { type: 'minor' }): void }).gc;

const app = createServer({
  logLevel: 'silent',
  allowedHosts: ['127.0.0.1'],
  trustedProxies: [],
  endpoints: [],
});
const routes = {
  app,
  browserCookies: { hasSession: () => false },
  usage: { count: () => {} },
  runAs: (_owner: string, work: () => unknown) => work(),
  requireCapacity: () => {},
} as unknown as Routes;

const serveAt = (path: string, audience: string): void =>
  serveRaw(
    routes,
    { method: 'POST', path, audience: [audience] } as unknown as EndpointDefinition,
    async ({ reply }) => {
      await new Promise(setImmediate);
      return reply.send({});
    },
  );
serveAt('/answered', 'anyone');
serveAt('/refused', 'patient');

/** Sends requests one after the other on each connection, so that some are under way at any time. */
async function sendRequests(path: string, onAnswer: () => void): Promise<void> {
  const { port } = app.server.address() as AddressInfo;
  const request = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nx-filler: ${FILLER}\r\ncontent-length: 7\r\n\r\n{"a":1}`;
  const run = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => void socket.write(request));
      let sent = 1;
      socket.on('data', () => {
        onAnswer();
        if (sent++ < REQUESTS / CONNECTIONS) socket.write(request);
        else socket.end(resolve);
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
}

await app.listen({ port: 0, host: '127.0.0.1' });
const bytes: Record<string, number> = {};
for (const path of ['/answered', '/refused', '/unknown']) {
  await sendRequests(path, () => {});
  // What the server keeps about its requests is old from now on.
  collect();
  const start = process.memoryUsage().heapUsed;
  let answers = 0;
  await sendRequests(path, () => void (++answers % 50 === 0 && collect({ type: 'minor' })));
  collect({ type: 'minor' });
  bytes[path] = Math.round((process.memoryUsage().heapUsed - start) / REQUESTS);
}
await app.close();
process.stdout.write(JSON.stringify(bytes));
