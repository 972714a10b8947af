import fs from 'node:fs';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';

const readPem = (name: string): string => fs.readFileSync(path.join(import.meta.dirname, name), 'utf8');

/** Good for `agent.example` and `*.agent.example`; its own authority. */
export const certificate = readPem('certificate.pem');

export interface Listener {
  port: number;
  /** TCP connections since it began to listen. */
  connections(): number;
  /** Waits until no connection is open. */
  waitUntilIdle(): Promise<void>;
  /** Ends the connection that a request came by with RST; `destroy` of a TLS socket would end it in good order. */
  reset(request: IncomingMessage): void;
  stop(): Promise<void>;
}

/** HTTPS on a loopback port, under the test certificate unless another is given. */
export const startTlsServer = (
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  identity: https.ServerOptions = { key: readPem('key.pem'), cert: certificate },
): Promise<Listener> => listen(https.createServer(identity, handler));

/** Accepts connections and says nothing, or what `speak` says. */
export const startMuteServer = (speak: (socket: net.Socket) => void = () => undefined): Promise<Listener> =>
  listen(net.createServer(speak));

async function listen(server: net.Server): Promise<Listener> {
  const sockets = new Set<net.Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async waitUntilIdle() {
      while (sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    reset({ socket: { remotePort } }) {
      for (const socket of sockets) if (socket.remotePort === remotePort) socket.resetAndDestroy();
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
