import tls, { type SecureContext, type TLSSocket } from 'node:tls';
import type { buildConnector, Client } from 'undici';
import type { Target } from './guard.ts';
import type { ResolvedAddress } from './resolve-name.ts';

/** How long an idle connection stays open unless the server says otherwise; most servers keep theirs for a minute. */
const IDLE_MS = 30_000;

export interface Peer {
  target: Target;
  /** The addresses that the guard permitted: nothing else is connected to. */
  addresses: readonly ResolvedAddress[];
  secureContext: SecureContext;
}

/** One connection, for one request at a time. */
export interface Connection {
  client: Client;
  /** Of the present socket: no answer came on it yet, the last answer has ended, or the present one has begun. */
  state: 'new' | 'reusable' | 'answering';
  isOpen(): boolean;
  destroy(): void;
}

/** Opens a connection. A request that is sent in the very moment in which it closes opens another, to the same peer. */
export async function openConnection(
  peer: Peer,
  onClose?: (closed: Connection) => void,
): Promise<Connection> {
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
    isOpen: () => socket !== null && !socket.destroyed,
    destroy() {
      void connection.client.destroy();
      // While it connects, the client does not know of it.
      socket?.destroy();
    },
  };
  connection.client.on('disconnect', () => onClose?.(connection));
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
    // Repeats what was checked: a second DNS answer cannot lead elsewhere.
    lookup: (_name, { all }, answer) =>
      all ? answer(null, [...addresses]) : answer(null, addresses[0]?.address ?? '', addresses[0]?.family),
    // RFC 6066 §3: no server name for an address. The certificate is compared with `host` then.
    ...(!isAddress && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    secureContext,
    rejectUnauthorized: true,
  });
  const onError = (error: Error): void => callback(error, null);
  socket.setNoDelay(true);
  // An error after all others have stopped to listen would end the process.
  socket.on('error', () => undefined);
  socket.once('error', onError);
  socket.once('secureConnect', () => {
    socket.off('error', onError);
    callback(null, socket);
  });
  return socket;
}
