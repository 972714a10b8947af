import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createOpenItems } from '../kernel/open-items.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { App } from './app.ts';
import { writeRawProblem } from './raw-problem.ts';

/** Milliseconds from the beginning of the stop. */
export interface StopLimits {
  /** By when a request has to have arrived. */
  bodiesMs: number;
  /** By when it has to be answered. */
  answersMs: number;
}

/**
 * Whoever stops a process kills it after 30 seconds, and after the requests there are jobs to give back, entries to seal and
 * the store to close. An upload may take an hour: what has not been acknowledged is sent again, to a node that serves.
 */
export const STOP_LIMITS: StopLimits = { bodiesMs: 8_000, answersMs: 15_000 };

/** How long a connection on which no request has begun may still bring one when the server stops. */
const FIRST_REQUEST_MS = 500;

/**
 * Closes each connection after its current request once the server stops. Clients would keep their connections alive,
 * and the shutdown waits for all of them: 72 s measured, while process managers kill after 10 s. Browsers also open
 * connections that they may never use, which Node counts as busy and, once the server stops, never ends: the shutdown
 * waited for as long as such a browser was there. What takes longer than `limits` is cut off.
 */
export function closeConnectionsOnShutdown(app: App, limits: StopLimits = STOP_LIMITS): void {
  let stopping = false;
  const unused = createOpenItems<Socket>();
  const markUsed = new WeakMap<Socket, () => void>();
  /** What has not arrived, or not been answered, wholly. */
  const open = createOpenItems<Exchange>();
  app.server.on('connection', (socket: Socket) => {
    const remove = unused.add(socket);
    markUsed.set(socket, remove);
    socket.once('close', remove);
  });
  app.server.on('request', ({ socket }) => markUsed.get(socket)?.());
  app.addHook('onRequest', async ({ raw: request }, { raw: response }) => {
    const remove = open.add({ request, response });
    request.once('close', remove);
    response.once('close', () => request.complete && remove());
  });
  app.addHook('preClose', async () => {
    stopping = true;
    // The connections that are left keep the process alive by themselves.
    const timers = [
      setTimeout(() => [...unused].forEach((socket) => socket.destroy()), FIRST_REQUEST_MS),
      setTimeout(() => endUnfinishedBodies(open), limits.bodiesMs),
      setTimeout(() => {
        // Under the name "localhost" there are two servers, of which Fastify shows one.
        for (const { request } of open) request.socket.destroy();
        app.server.closeAllConnections();
      }, limits.answersMs),
    ];
    for (const timer of timers) timer.unref();
    app.server.once('close', () => timers.slice(1).forEach(clearTimeout));
  });
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) reply.header('connection', 'close');
  });
  // A response that began before the stop has announced keep-alive already.
  app.addHook('onResponse', async () => {
    if (stopping) app.server.closeIdleConnections();
  });
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

function endUnfinishedBodies(open: Iterable<Exchange>): void {
  const refusal = new Refusal(503, 'stopping', {
    detail:
      'The service is stopping, and the request had not arrived; nothing of it was kept. Send it again.',
  });
  for (const { request, response } of open) {
    if (request.complete) continue;
    if (!response.headersSent) writeRawProblem(request.socket, refusal);
    request.destroy();
  }
}
