import tls, { type SecureContext, type TLSSocket } from 'node:tls';
import type { buildConnector, Client } from 'undici';
import { createPinnedLookup } from './pinned-lookup.ts';
import type { ResolvedAddress } from './request.ts';
import type { Target } from './target.ts';

/** As servers say or, unless they do, for so long; most keep theirs for a minute. */
const IDLE_MS = 30_000;

export interface Peer {
  target: Target;
  /** The checked ones: nothing else is connected to. */
  addresses: readonly ResolvedAddress[];
  /** Whom to trust. */
  secureContext: SecureContext;
}

/** One connection, for one request at a time. */
export interface Connection {
  client: Client;
  /** Its socket: nothing was answered on it yet, or the last answer has ended, or the present one has begun. */
  state: 'new' | 'kept' | 'answering';
  isAlive(): boolean;
  destroy(reason?: Error): void;
}

/** `onEnd`: its socket is closed. A request that is given to it in that very moment opens another, to the same peer. */
export async function openConnection(peer: Peer, onClose: (closed: Connection) => void): Promise<Connection> {
  // All of undici takes a tenth of a second to load: only a process that sends has to.
  const { Client } = await import('undici');
  let socket: TLSSocket | null = null;
  const connection: Connection = {
    client: new Client(peer.target.url.origin, {
      connect(_options, callback) {
        connection.state = 'new';
        socket = connectTls(peer, callback);
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: 16 * 1024,
      // Every request has a deadline for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    }),
    state: 'new',
    isAlive: () => socket !== null && !socket.destroyed,
    destroy(reason) {
      void connection.client.destroy(reason ?? null);
      // While it connects, the client does not know of it.
      socket?.destroy();
    },
  };
  connection.client.on('disconnect', () => onClose(connection));
  return connection;
}

/** undici's own connector would ask DNS again, resume sessions of other connections, and wait as long as it likes. */
function connectTls(
  { target: { url, host, isAddress }, addresses, secureContext }: Peer,
  callback: buildConnector.Callback,
): TLSSocket {
  const socket = tls.connect({
    host,
    port: Number(url.port || 443),
    lookup: createPinnedLookup(addresses),
    // RFC 6066 §3: no literal addresses. The certificate is compared with `host` then.
    ...(!isAddress && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    secureContext,
    rejectUnauthorized: true,
  });
  const onError = (error: Error): void => callback(error, null);
  socket.setNoDelay(true);
  // One that comes after all others have stopped to listen would end the process.
  socket.on('error', () => undefined);
  socket.once('error', onError);
  socket.once('secureConnect', () => {
    socket.off('error', onError);
    callback(null, socket);
  });
  return socket;
}
