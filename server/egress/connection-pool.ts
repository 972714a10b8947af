import type { Connection } from './kept-connection.ts';
import { keptExchange, type Outgoing } from './kept-exchange.ts';
import { places } from './places.ts';
import type { EgressAnswer } from './request.ts';

export interface Pool {
  request(request: Outgoing, signal: AbortSignal): Promise<EgressAnswer>;
  /** Ends what is idle now, and every other connection with its request. */
  retire(): void;
  /** Of one that is retired: ends what is left, and sends away who waits. */
  destroy(reason: Error): void;
}

interface Options {
  open(onEnd: (ended: Connection) => void): Promise<Connection>;
  /** At a time, those that are being opened too. */
  most: number;
  /** No connection is left, and nobody waits for one. */
  onEmpty(): void;
}

/** Connections to one peer. The one used last is used next, so that those there is no need for fall idle. */
export function connectionPool({ open, most, onEmpty }: Options): Pool {
  const idle = new Set<Connection>();
  const busy = new Set<Connection>();
  const { take, leave, taken, refuse } = places(most);
  let retired = false;

  const lookAround = (): void => {
    if (idle.size === 0 && taken() === 0) onEmpty();
  };
  const onEnd = (ended: Connection): void => {
    if (idle.delete(ended)) ended.destroy();
    lookAround();
  };

  async function send(connection: Connection, request: Outgoing, signal: AbortSignal): Promise<EgressAnswer> {
    let whole = false;
    busy.add(connection);
    try {
      const answer = await keptExchange(connection, request, signal);
      connection.state = 'kept';
      whole = !answer.truncated;
      return answer;
    } finally {
      busy.delete(connection);
      if (whole && !retired && connection.alive()) idle.add(connection);
      else connection.destroy();
    }
  }

  return {
    async request(request, signal) {
      await take(signal);
      try {
        const kept = [...idle].at(-1);
        if (kept) idle.delete(kept);
        const answer = await (kept && unlessUnseen(send(kept, request, signal), kept));
        return answer ?? (await send(await open(onEnd), request, signal));
      } finally {
        leave();
        lookAround();
      }
    },
    retire() {
      retired = true;
      for (const connection of idle) connection.destroy();
      idle.clear();
    },
    destroy(reason) {
      refuse(reason);
      for (const connection of busy) connection.destroy(reason);
    },
  };
}

const CLOSED: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/**
 * Null when the other side ended a connection that had been kept, before any answer on it: it may have closed it before
 * it saw the request, which is no failure of it. It may have seen it all the same (RFC 9110 §9.2.2), so what is sent
 * this way may arrive twice.
 */
async function unlessUnseen(
  answer: Promise<EgressAnswer>,
  connection: Connection,
): Promise<EgressAnswer | null> {
  try {
    return await answer;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (connection.state === 'kept' && CLOSED.has(code)) return null;
    throw error;
  }
}
