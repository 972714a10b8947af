import type { App } from './app.ts';

/**
 * Once the server stops, a connection ends with the request that is under way on it. Its client would keep it, and the
 * stop waits for every connection: 72 s, while whoever stops us kills us after 10.
 */
export function closeConnectionsOnShutdown(app: App): void {
  let stopping = false;
  app.addHook('preClose', async () => void (stopping = true));
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  // Of an answer that had begun before, the client was told otherwise.
  app.addHook('onResponse', async () => {
    if (stopping) app.server.closeIdleConnections();
  });
}
