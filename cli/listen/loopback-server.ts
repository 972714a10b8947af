import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';

/** A connection that ended before there was a request. */
export interface ConnectionFailure {
  isTls: boolean;
  /** null: without an error. */
  code: string | null;
}

interface Options {
  port: number;
  key: string;
  chain: string;
  onConnectionFailure(failure: ConnectionFailure): void;
}

export interface LoopbackServer {
  port: number;
  close(): Promise<void>;
}

/** RFC 8446 §5.1: a TLS connection begins with a record of type handshake; no HTTP method does. */
const TLS_HANDSHAKE = 0x16;

/** Serves http and https on one port of loopback, IPv6 too where the machine has it. */
export async function listenOnLoopback(
  onRequest: RequestListener,
  options: Options,
): Promise<LoopbackServer> {
  const plain = http.createServer(onRequest);
  const secure = https.createServer({ key: options.key, cert: options.chain }, onRequest);
  watchConnections(plain, options.onConnectionFailure);
  watchConnections(secure, options.onConnectionFailure);
  const sockets = new Set<net.Socket>();
  const createFrontServer = (): net.Server =>
    net.createServer((socket) => {
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      socket.on('error', () => socket.destroy());
      socket.once('readable', () => {
        const first = socket.read(1) as Buffer | null;
        if (first === null) return;
        socket.unshift(first);
        (first[0] === TLS_HANDSHAKE ? secure : plain).emit('connection', socket);
      });
    });
  const first = await listen(createFrontServer(), '127.0.0.1', options.port);
  const { port } = first.address() as net.AddressInfo;
  const second = await listen(createFrontServer(), '::1', port).catch(ignoreMissingIpv6);
  return {
    port,
    async close() {
      const closed = [first, second].map(
        (server) => new Promise((resolve) => server?.close(resolve) ?? resolve(0)),
      );
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}

/**
 * Clients that distrust a certificate differ: OpenSSL's refuse with an alert in the handshake, Node's complete it and
 * leave without a word.
 */
function watchConnections(
  server: http.Server | https.Server,
  onConnectionFailure: Options['onConnectionFailure'],
): void {
  const handled = new WeakSet<Duplex>();
  const isTls = server instanceof https.Server;
  server.on('request', ({ socket }) => handled.add(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!handled.has(socket)) onConnectionFailure({ isTls, code: error.code ?? null });
    handled.add(socket);
    socket.destroy();
  });
  server.on('secureConnection', (socket: Duplex) =>
    socket.once('close', () => {
      if (!handled.has(socket)) onConnectionFailure({ isTls, code: null });
    }),
  );
}

const listen = (server: net.Server, host: string, port: number): Promise<net.Server> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });

/** Another program on the port would get what is sent to localhost, so that is no reason to go on. */
function ignoreMissingIpv6(error: NodeJS.ErrnoException): null {
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return null;
  throw error;
}
