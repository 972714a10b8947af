import tls, { type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { connectionPool, type Pool } from './connection-pool.ts';
import type { Egress } from './egress.ts';
import { ending, unlessAborted } from './ending.ts';
import { guard, type GuardOptions } from './guard.ts';
import { openConnection } from './kept-connection.ts';
import type { EgressAnswer, EgressRequest } from './request.ts';
import { sharedGuard, type Passed } from './shared-guard.ts';
import { targetOf, type Target } from './target.ts';

export interface KeptEgress extends Egress {
  /** Ends connections as soon as their requests have ended, and a moment later those that have not: `AbortError`. */
  close(): Promise<void>;
}

interface Options extends GuardOptions {
  /** PEM; in place of the system's authorities. */
  ca?: string;
  /** To one peer at a time; whoever needs one more waits. */
  connections?: number;
  /** Of which connections are kept; those used longest ago are given up for another. */
  peers?: number;
  /** How long an answer of DNS is for all who ask for the same name. */
  lookupsMs?: number;
}

const CLOSE_MS = 1000;

/**
 * As `egress`, with connections that are kept: for many requests to the same addresses, each of which may arrive twice.
 * The guard looks at every request as if there were none. A connection is used again only by those for which DNS
 * answers exactly the addresses it was made for, all of which have passed anew; so a name that leads elsewhere from now
 * on has no part in what was opened before.
 */
export function keptEgress({
  ca,
  connections = 16,
  peers = 1000,
  lookupsMs = 1000,
  ...options
}: Options = {}): KeptEgress {
  const checked = sharedGuard(guard(options), lookupsMs);
  const pools = new LRUCache<string, Pool>({ max: peers, dispose: (pool) => pool.retire() });
  const requests = requestCount();
  let secureContext: SecureContext | null = null;
  let closed = false;

  const poolOf = (target: Target, { addresses, set }: Passed, allowPrivate: boolean): Pool => {
    if (closed) throw closedNow();
    const key = `${target.url.host} ${allowPrivate} ${set}`;
    const found = pools.get(key);
    if (found) return found;
    // With authorities of the system that is a tenth of a megabyte to read, so once, and for those who send.
    const context = (secureContext ??= tls.createSecureContext(ca === undefined ? {} : { ca }));
    const pool = connectionPool({
      open: (onEnd) => openConnection({ target, addresses, secureContext: context }, onEnd),
      most: connections,
      onEmpty() {
        if (pools.peek(key) === pool) pools.delete(key);
      },
    });
    pools.set(key, pool);
    return pool;
  };

  async function send(request: EgressRequest, signal: AbortSignal): Promise<EgressAnswer> {
    const { url, allowPrivate = false } = request;
    const target = targetOf(url, allowPrivate);
    const outcome = checked(target, allowPrivate);
    const passed = outcome instanceof Promise ? await unlessAborted(signal, outcome) : outcome;
    const path = target.url.pathname + target.url.search;
    return poolOf(target, passed, allowPrivate).request({ ...request, path }, signal);
  }

  return {
    request: (request) => requests.counted(() => ending(request, (signal) => send(request, signal))),
    async close() {
      closed = true;
      const left = [...pools.values()];
      pools.clear();
      await requests.ended(CLOSE_MS);
      for (const pool of left) pool.destroy(closedNow());
    },
  };
}

/** As an aborted `signal` is told by default. */
const closedNow = (): Error => new DOMException('no more requests are made', 'AbortError');

interface RequestCount {
  counted<T>(request: () => Promise<T>): Promise<T>;
  /** When there is none any more, or so many milliseconds have passed. */
  ended(withinMs: number): Promise<void>;
}

function requestCount(): RequestCount {
  let running = 0;
  let onNone = (): void => undefined;
  return {
    async counted(request) {
      running++;
      try {
        return await request();
      } finally {
        if (--running === 0) onNone();
      }
    },
    async ended(withinMs) {
      if (running === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const late = setTimeout(resolve, withinMs);
      onNone = resolve;
      await promise;
      clearTimeout(late);
    },
  };
}
