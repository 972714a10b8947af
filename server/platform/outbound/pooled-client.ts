import tls, { type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { createConnectionPool, type ConnectionPool } from './connection-pool.ts';
import type { OutboundClient } from './outbound-client.ts';
import { withDeadline, abortable } from './deadline.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { openConnection } from './pooled-connection.ts';
import type { OutboundResponse, OutboundRequest } from './request.ts';
import { createCachedGuard, type PermittedAddresses } from './cached-guard.ts';
import { parseTarget, type Target } from './target.ts';

export interface PooledClient extends OutboundClient {
  /** Ends connections as soon as their requests have ended, and a moment later those that have not: `AbortError`. */
  close(): Promise<void>;
}

interface Options extends GuardOptions {
  /** PEM; in place of the system's authorities. */
  ca?: string;
  /** To one peer at a time; whoever needs one more waits. */
  maxConnections?: number;
  /** Of which connections are kept; those used longest ago are given up for another. */
  maxPeers?: number;
  /** How long an answer of DNS is for all who ask for the same name. */
  lookupTtlMs?: number;
}

const CLOSE_MS = 1000;

/**
 * As `egress`, with connections that are kept: for many requests to the same addresses, each of which may arrive twice.
 * The guard looks at every request as if there were none. A connection is used again only by those for which DNS
 * answers exactly the addresses it was made for, all of which have passed anew; so a name that leads elsewhere from now
 * on has no part in what was opened before.
 */
export function createPooledClient({
  ca,
  maxConnections = 16,
  maxPeers = 1000,
  lookupTtlMs = 1000,
  ...options
}: Options = {}): PooledClient {
  const checkTarget = createCachedGuard(createGuard(options), lookupTtlMs);
  const pools = new LRUCache<string, ConnectionPool>({ max: maxPeers, dispose: (pool) => pool.retire() });
  const requests = createRequestTracker();
  let secureContext: SecureContext | null = null;
  let closed = false;

  const getPool = (
    target: Target,
    { addresses, addressKey }: PermittedAddresses,
    allowPrivate: boolean,
  ): ConnectionPool => {
    if (closed) throw createClosedError();
    const key = `${target.url.host} ${allowPrivate} ${addressKey}`;
    const found = pools.get(key);
    if (found) return found;
    // With authorities of the system that is a tenth of a megabyte to read, so once, and for those who send.
    const context = (secureContext ??= tls.createSecureContext(ca === undefined ? {} : { ca }));
    const pool = createConnectionPool({
      open: (onEnd) => openConnection({ target, addresses, secureContext: context }, onEnd),
      maxConnections: maxConnections,
      onEmpty() {
        if (pools.peek(key) === pool) pools.delete(key);
      },
    });
    pools.set(key, pool);
    return pool;
  };

  async function send(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const { url, allowPrivate = false } = request;
    const target = parseTarget(url, allowPrivate);
    const outcome = checkTarget(target, allowPrivate);
    const permitted = outcome instanceof Promise ? await abortable(signal, outcome) : outcome;
    const path = target.url.pathname + target.url.search;
    return getPool(target, permitted, allowPrivate).request({ ...request, path }, signal);
  }

  return {
    request: (request) => requests.track(() => withDeadline(request, (signal) => send(request, signal))),
    async close() {
      closed = true;
      const remaining = [...pools.values()];
      pools.clear();
      await requests.waitForIdle(CLOSE_MS);
      for (const pool of remaining) pool.destroy(createClosedError());
    },
  };
}

/** As an aborted `signal` is told by default. */
const createClosedError = (): Error => new DOMException('no more requests are made', 'AbortError');

interface RequestTracker {
  track<T>(request: () => Promise<T>): Promise<T>;
  /** When there is none any more, or so many milliseconds have passed. */
  waitForIdle(withinMs: number): Promise<void>;
}

function createRequestTracker(): RequestTracker {
  let running = 0;
  let onIdle = (): void => undefined;
  return {
    async track(request) {
      running++;
      try {
        return await request();
      } finally {
        if (--running === 0) onIdle();
      }
    },
    async waitForIdle(withinMs) {
      if (running === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, withinMs);
      onIdle = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}
