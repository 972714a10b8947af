import type { Socket } from 'node:net';
import type { App } from './app.ts';

/** How long a connection on which no request has begun may still bring one when the server stops. */
const FIRST_REQUEST_MS = 500;

/**
 * Closes each connection after its current request once the server stops. Clients would keep their connections alive,
 * and the shutdown waits for all of them: 72 s measured, while process managers kill after 10 s. Browsers also open
 * connections that they may never use, which Node counts as busy and, once the server stops, never ends: the shutdown
 * waited for as long as such a browser was there.
 */
export function closeConnectionsOnShutdown(app: App): void {
  let stopping = false;
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('preClose', async () => {
    stopping = true;
    // The connections that are left keep the process alive by themselves.
    setTimeout(() => {
      for (const socket of unused) socket.destroy();
    }, FIRST_REQUEST_MS).unref();
  });
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  // A response that began before the stop has announced keep-alive already.
  app.addHook('onResponse', async () => {
    if (stopping) app.server.closeIdleConnections();
  });
}
