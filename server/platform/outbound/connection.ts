import net, { type LookupFunction, type Socket } from 'node:net';
import tls, { type SecureContext } from 'node:tls';
import type { buildConnector, Client } from 'undici';
import { createAnswerHandler } from './collect-answer.ts';
import type { Target } from './guard.ts';
import type { OutboundRequest, OutboundResponse } from './request.ts';
import type { ResolvedAddress } from './resolve-name.ts';

const USER_AGENT = 'Chartgate/1.0';

/** How long an idle connection stays open unless the server says otherwise; most servers keep theirs for a minute. */
const IDLE_MS = 30_000;

export interface Peer {
  target: Target;
  /** The addresses that the guard permitted: nothing else is connected to. */
  addresses: readonly ResolvedAddress[];
  secureContext: SecureContext;
}

export interface PathRequest extends OutboundRequest {
  /** Path and query of the URL. */
  path: string;
}

/** One connection, for one request at a time. */
export interface Connection {
  /** When it rejects, or the answer is truncated, the connection is still busy with it and has to be destroyed. */
  send(request: PathRequest & { isLast?: boolean }, signal: AbortSignal): Promise<OutboundResponse>;
  /** An answer has ended on the present socket, and no other has begun. */
  isReusable(): boolean;
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
  let socket: Socket | null = null;
  let isReusable = false;
  const client: Client = new Client(peer.target.url.origin, {
    connect(_options, callback) {
      isReusable = false;
      socket = connect(peer, callback);
    },
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: 16 * 1024,
    // Every request has a deadline for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
  });
  const connection: Connection = {
    async send(request, signal) {
      const response = await dispatch(client, request, {
        signal,
        onStarted: () => void (isReusable = false),
      });
      isReusable = !response.truncated;
      return response;
    },
    isReusable: () => isReusable,
    isOpen: () => socket !== null && !socket.destroyed,
    destroy() {
      void client.destroy();
      // While it connects, the client does not know of it.
      socket?.destroy();
    },
  };
  client.on('disconnect', () => onClose?.(connection));
  return connection;
}

/** undici's own connector would ask DNS again, resume sessions of other connections, and wait as long as it likes. */
function connect(peer: Peer, callback: buildConnector.Callback): Socket {
  const socket = peer.target.isPlain ? connectPlain(peer) : connectTls(peer);
  const onError = (error: Error): void => callback(error, null);
  socket.setNoDelay(true);
  // An error after all others have stopped to listen would end the process.
  socket.on('error', () => undefined);
  socket.once('error', onError);
  socket.once(peer.target.isPlain ? 'connect' : 'secureConnect', () => {
    socket.off('error', onError);
    callback(null, socket);
  });
  return socket;
}

/** Repeats what was checked: a second DNS answer cannot lead elsewhere. */
const createLookup =
  ({ addresses }: Peer): LookupFunction =>
  (_name, { all }, answer) =>
    all ? answer(null, [...addresses]) : answer(null, addresses[0]?.address ?? '', addresses[0]?.family);

const connectPlain = (peer: Peer): Socket =>
  net.connect({
    host: peer.target.host,
    port: Number(peer.target.url.port || 80),
    lookup: createLookup(peer),
  });

function connectTls(peer: Peer): Socket {
  const { url, host, isAddress } = peer.target;
  return tls.connect({
    host,
    port: Number(url.port || 443),
    lookup: createLookup(peer),
    // RFC 6066 §3: no server name for an address. The certificate is compared with `host` then.
    ...(!isAddress && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    secureContext: peer.secureContext,
    rejectUnauthorized: true,
  });
}

interface DispatchOptions {
  signal: AbortSignal;
  /** An answer has begun, be it an interim one. */
  onStarted(): void;
}

/** Sends a request by `dispatch`: `Client.request` would make a stream of a body that is wanted whole. */
async function dispatch(
  client: Client,
  request: PathRequest & { isLast?: boolean },
  { signal, onStarted }: DispatchOptions,
): Promise<OutboundResponse> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>();
  const handler = createAnswerHandler(request, { onStarted, resolve, reject });
  const onAbort = (): void => handler.stop(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    client.dispatch(
      {
        method: request.method,
        path: request.path,
        // Firewalls in front of servers take a request without a name for an attack. Compressed, a small body could become a
        // large one.
        headers: { 'user-agent': USER_AGENT, ...request.headers, 'accept-encoding': 'identity' },
        body: request.body ?? null,
        ...(request.isLast && { reset: true }),
      },
      handler,
    );
    return await promise;
  } finally {
    clearTimeout(handler.bodyTimer);
    signal.removeEventListener('abort', onAbort);
  }
}
