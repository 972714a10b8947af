import type { App } from './app.ts';

/**
 * Closes each connection after its current request once the server stops. Clients would keep their connections alive,
 * and the shutdown waits for all of them: 72 s measured, while process managers kill after 10 s.
 */
export function closeConnectionsOnShutdown(app: App): void {
  let stopping = false;
  app.addHook('preClose', async () => void (stopping = true));
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  // A response that began before the stop has announced keep-alive already.
  app.addHook('onResponse', async () => {
    if (stopping) app.server.closeIdleConnections();
  });
}
