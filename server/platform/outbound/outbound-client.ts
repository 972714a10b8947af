import tls, { type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { abortable } from '../kernel/abortable.ts';
import { createOpenItems } from '../kernel/open-items.ts';
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts';
import { openConnection } from './connection.ts';
import { createCachedGuard, createGuard, parseTarget, type GuardOptions, type Target } from './guard.ts';
import {
  OutboundFailedError,
  toOutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from './request.ts';

export interface OutboundClient {
  /** Throws `OutboundRefusedError` when the guard refuses, `OutboundFailedError` when the network or the other side fails. */
  request(request: OutboundRequest): Promise<OutboundResponse>;
}

export interface PooledClient extends OutboundClient {
  /** Ends connections as soon as their requests have ended, and after a second those that have not: `AbortError`. */
  close(): Promise<void>;
}

interface ClientOptions extends GuardOptions {
  /** PEM; replaces the system's authorities. */
  ca?: string;
}

interface PooledClientOptions extends ClientOptions {
  /** To one peer at a time; further requests wait. */
  maxConnections?: number;
  /** How many peers keep connections; the least recently used peer gives way to another. */
  maxPeers?: number;
  /** How long requests for the same name share a DNS answer. */
  lookupTtlMs?: number;
}

const CLOSE_TIMEOUT_MS = 1000;

/**
 * A client for addresses that others name, each request on a connection of its own. A name is resolved once, every
 * address it has must be permitted, and only what was checked is connected to, so no second DNS answer can lead
 * elsewhere. A `lookup` alone would not do: node never asks it for literal addresses. No proxy is used: it would resolve
 * the name anew.
 */
export function createOutboundClient({ ca, ...options }: ClientOptions = {}): OutboundClient {
  const guard = createGuard(options);
  const loadSecureContext = createSecureContextLoader(ca);
  return {
    async request(request) {
      const target = parseTarget(request.url, request.allowPrivate ?? false, request.allowPlain);
      return withDeadline(new AbortController(), request, async (signal) => {
        const addresses = await abortable(signal, guard(target));
        const connection = await openConnection({ target, addresses, secureContext: loadSecureContext() });
        try {
          return await connection.send({ ...request, path: getPath(target), isLast: true }, signal);
        } finally {
          connection.destroy();
        }
      });
    },
  };
}

/**
 * A client that keeps connections: for many requests to the same addresses, each of which may arrive twice. The guard
 * checks every request as if there were no connection. A connection is reused only by requests for which DNS answers
 * exactly the addresses that it was made for, all of which were permitted anew, so a name that leads elsewhere from now
 * on has no part in what was opened before.
 */
export function createPooledClient({
  ca,
  maxConnections = 16,
  maxPeers = 1000,
  lookupTtlMs = 1000,
  ...options
}: PooledClientOptions = {}): PooledClient {
  const guard = createCachedGuard(createGuard(options), lookupTtlMs);
  const loadSecureContext = createSecureContextLoader(ca);
  const pools = new LRUCache<string, ConnectionPool>({ max: maxPeers, dispose: (pool) => pool.retire() });
  const targets = new LRUCache<string, Target>({ max: maxPeers });
  const running = createOpenItems<Running>();
  let closed: Error | null = null;

  function getTarget(url: string, allowPrivate: boolean): Target {
    const targetKey = `${url} ${allowPrivate}`;
    const known = targets.get(targetKey) ?? parseTarget(url, allowPrivate);
    targets.set(targetKey, known);
    return known;
  }

  async function send(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const target = getTarget(request.url, request.allowPrivate ?? false);
    const outcome = guard(target);
    const { addresses, addressKey } = outcome instanceof Promise ? await abortable(signal, outcome) : outcome;
    if (closed) throw closed;
    const key = `${target.url.host} ${target.allowPrivate} ${addressKey} ${request.owner ?? ''}`;
    const known = pools.get(key);
    const pathRequest = { ...request, path: getPath(target) };
    if (known) return known.send(pathRequest, signal);
    const peer = { target, addresses, secureContext: loadSecureContext() };
    const onEmpty = (): void => void (pools.peek(key) === pool && pools.delete(key));
    const pool = createConnectionPool(peer, { maxConnections, onEmpty });
    pools.set(key, pool);
    return pool.send(pathRequest, signal);
  }

  return {
    request(request) {
      const controller = new AbortController();
      const response = withDeadline(controller, request, (signal) => send(request, signal));
      return response.finally(running.add({ controller, response }));
    },
    async close() {
      // An aborted signal has such a reason by default.
      const error = (closed ??= new DOMException('the client is closed', 'AbortError'));
      pools.clear();
      await endWithin(CLOSE_TIMEOUT_MS, [...running], error);
    },
  };
}

interface Running {
  controller: AbortController;
  response: Promise<OutboundResponse>;
}

/** Waits for requests, and aborts those that are left after that time. */
async function endWithin(ms: number, running: readonly Running[], error: Error): Promise<void> {
  const timer = setTimeout(() => running.forEach(({ controller }) => controller.abort(error)), ms);
  await Promise.allSettled(running.map(({ response }) => response));
  clearTimeout(timer);
}

const getPath = ({ url }: Target): string => url.pathname + url.search;

/** With the system's authorities it is a tenth of a megabyte to read: once, and only for those who send. */
function createSecureContextLoader(ca: string | undefined): () => SecureContext {
  let secureContext: SecureContext | null = null;
  return () => (secureContext ??= tls.createSecureContext(ca === undefined ? {} : { ca }));
}

/**
 * Runs `work` under the controller's signal, which is aborted at the request's deadline or with the request's own
 * signal. `work` must settle then; its error is replaced by the abort's reason.
 */
async function withDeadline<T>(
  controller: AbortController,
  { timeoutMs, signal, graceMs = 0 }: OutboundRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const timer = setTimeout(() => controller.abort(new OutboundFailedError('deadline')), timeoutMs);
  const abort = (): void => controller.abort(signal?.reason);
  let grace: NodeJS.Timeout | undefined;
  const onAbort = (): void => void (graceMs > 0 ? (grace = setTimeout(abort, graceMs)) : abort());
  signal?.addEventListener('abort', onAbort);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : toOutboundError(error);
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    signal?.removeEventListener('abort', onAbort);
  }
}
