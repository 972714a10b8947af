import type { App } from './app.ts';

/**
 * Closes each connection with its present request once the server stops. Clients would keep their connections, and the
 * stop waits for every one of them: 72 s, while process managers kill after 10.
 */
export function closeConnectionsOnShutdown(app: App): void {
  let stopping = false;
  app.addHook('preClose', async () => void (stopping = true));
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  // An answer that had begun before announced keep-alive.
  app.addHook('onResponse', async () => {
    if (stopping) app.server.closeIdleConnections();
  });
}
