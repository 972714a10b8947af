import { createSemaphore } from '../kernel/semaphore.ts';
import { openConnection, type Connection, type PathRequest, type Peer } from './connection.ts';
import type { OutboundResponse } from './request.ts';

export interface ConnectionPool {
  send(request: PathRequest, signal: AbortSignal): Promise<OutboundResponse>;
  /** Closes what is idle now, and every other connection with its request. */
  retire(): void;
}

interface Options {
  maxConnections: number;
  /** No connection is open, and no request waits for one. */
  onEmpty(): void;
}

/**
 * Creates a pool of connections to one peer. undici's own `Pool` does not expose which connection a request is on: whether
 * a broken one was reused, so that the request may be sent again, and which one to close when a request is aborted during
 * the handshake. It also opens a second connection for requests that follow each other immediately.
 */
export function createConnectionPool(peer: Peer, { maxConnections, onEmpty }: Options): ConnectionPool {
  const slots = createSemaphore(maxConnections);
  let idle: Connection[] = [];
  let requestCount = 0;
  let isRetired = false;

  const checkEmpty = (): void => {
    if (idle.length === 0 && requestCount === 0) onEmpty();
  };
  const onClose = (closed: Connection): void => {
    if (idle.includes(closed)) closed.destroy();
    idle = idle.filter((connection) => connection !== closed);
    checkEmpty();
  };

  async function sendOn(connection: Connection, request: PathRequest, signal: AbortSignal) {
    let isReusable = false;
    try {
      const response = await connection.send(request, signal);
      isReusable = !response.truncated && !isRetired;
      return response;
    } finally {
      if (isReusable && connection.isOpen()) idle.push(connection);
      else connection.destroy();
    }
  }

  return {
    async send(request, signal) {
      requestCount++;
      try {
        return await slots.run(async () => {
          // The one used last: those that there is no need for fall idle.
          const reused = idle.pop();
          const response = reused && (await ignoreUnanswered(reused, sendOn(reused, request, signal)));
          return response ?? sendOn(await openConnection(peer, onClose), request, signal);
        }, signal);
      } finally {
        requestCount--;
        checkEmpty();
      }
    },
    retire() {
      isRetired = true;
      for (const connection of idle.splice(0)) connection.destroy();
    },
  };
}

const CLOSED_CODES: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/**
 * Returns null when the other side ended a reused connection before it began to answer: it may have done so before it
 * saw the request, which is no failure of it. It may have seen it all the same (RFC 9110 §9.2.2), so what is sent
 * again may arrive twice.
 */
async function ignoreUnanswered(
  connection: Connection,
  response: Promise<OutboundResponse>,
): Promise<OutboundResponse | null> {
  try {
    return await response;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (connection.isReusable() && CLOSED_CODES.has(code)) return null;
    throw error;
  }
}
