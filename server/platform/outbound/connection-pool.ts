import type { Connection } from './pooled-connection.ts';
import { sendPooledRequest, type PooledRequest } from './send-pooled-request.ts';
import { createSemaphore } from './semaphore.ts';
import type { OutboundResponse } from './request.ts';

export interface ConnectionPool {
  request(request: PooledRequest, signal: AbortSignal): Promise<OutboundResponse>;
  /** Ends what is idle now, and every other connection with its request. */
  retire(): void;
  /** Of one that is retired: ends what is left, and sends away who waits. */
  destroy(reason: Error): void;
}

interface Options {
  open(onClose: (connection: Connection) => void): Promise<Connection>;
  /** At a time, those that are being opened too. */
  maxConnections: number;
  /** No connection is left, and nobody waits for one. */
  onEmpty(): void;
}

/** Connections to one peer. The one used last is used next, so that those there is no need for fall idle. */
export function createConnectionPool({ open, maxConnections, onEmpty }: Options): ConnectionPool {
  const idle = new Set<Connection>();
  const busy = new Set<Connection>();
  const { acquire, release, countAcquired, rejectWaiters } = createSemaphore(maxConnections);
  let retired = false;

  const evictIfIdle = (): void => {
    if (idle.size === 0 && countAcquired() === 0) onEmpty();
  };
  const onClose = (connection: Connection): void => {
    if (idle.delete(connection)) connection.destroy();
    evictIfIdle();
  };

  async function send(
    connection: Connection,
    request: PooledRequest,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    let isComplete = false;
    busy.add(connection);
    try {
      const response = await sendPooledRequest(connection, request, signal);
      connection.state = 'kept';
      isComplete = !response.truncated;
      return response;
    } finally {
      busy.delete(connection);
      if (isComplete && !retired && connection.isAlive()) idle.add(connection);
      else connection.destroy();
    }
  }

  return {
    async request(request, signal) {
      await acquire(signal);
      try {
        const pooled = [...idle].at(-1);
        if (pooled) idle.delete(pooled);
        const response = await (pooled && catchUnsent(send(pooled, request, signal), pooled));
        return response ?? (await send(await open(onClose), request, signal));
      } finally {
        release();
        evictIfIdle();
      }
    },
    retire() {
      retired = true;
      for (const connection of idle) connection.destroy();
      idle.clear();
    },
    destroy(reason) {
      rejectWaiters(reason);
      for (const connection of busy) connection.destroy(reason);
    },
  };
}

const CLOSED_CODES: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/**
 * Null when the other side ended a connection that had been kept, before any answer on it: it may have closed it before
 * it saw the request, which is no failure of it. It may have seen it all the same (RFC 9110 §9.2.2), so what is sent
 * this way may arrive twice.
 */
async function catchUnsent(
  response: Promise<OutboundResponse>,
  connection: Connection,
): Promise<OutboundResponse | null> {
  try {
    return await response;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (connection.state === 'kept' && CLOSED_CODES.has(code)) return null;
    throw error;
  }
}
