import type { Socket } from 'node:net';
import type { App } from './app.ts';

/** Requests that may wait behind another on one connection; who sends more is no browser and no proxy. */
const MAX_WAITING = 100;

/**
 * Handles one request of a connection at a time. Node hands over all that a client has pipelined (RFC 9112 §9.3.2) at once:
 * 10,000 requests on 20 connections held up everybody else's for as long as they took, and went on after their client had
 * left. Answers come in the order of the requests, so a client waits no longer. What waits when its connection ends is never
 * begun; a connection on which more waits is closed.
 */
export function handlePipelinedInTurn(app: App): void {
  /** What waits on each connection that has a request under way. */
  const lines = new WeakMap<Socket, (() => void)[]>();
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const begin = (): void => {
      reply.raw.once('close', () => {
        const next = lines.get(socket)?.shift();
        if (next === undefined) lines.delete(socket);
        else if (!socket.destroyed) next();
      });
      done();
    };
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, []);
      begin();
    } else if (line.length < MAX_WAITING) line.push(begin);
    else socket.destroy();
  });
}
