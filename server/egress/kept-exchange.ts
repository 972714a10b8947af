import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { announced, BODY_MS, collected } from './collected.ts';
import { EgressFailed } from './egress-error.ts';
import type { Connection } from './kept-connection.ts';
import type { EgressAnswer, EgressRequest } from './request.ts';

export interface Outgoing extends Pick<EgressRequest, 'method' | 'headers' | 'body' | 'maxBytes' | 'longer'> {
  path: string;
}

/**
 * One request on a connection that no other request uses. When it rejects, or its answer is truncated, the connection
 * is still busy with it and has to be destroyed. `dispatch`, because `Client.request` would make a stream of a body
 * that is wanted whole.
 */
export async function keptExchange(
  connection: Connection,
  request: Outgoing,
  signal: AbortSignal,
): Promise<EgressAnswer> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<EgressAnswer>();
  const { method, path, headers, body = null } = request;
  const onBegun = (): void => void (connection.state = 'answering');
  const handler = answerHandler(request, { onBegun, resolve, reject });
  const end = (): void => handler.stop(signal.reason);
  signal.addEventListener('abort', end);
  // Compressed, a small body could become a large one.
  const asked = { method, path, headers: { ...headers, 'accept-encoding': 'identity' }, body };
  try {
    connection.client.dispatch(asked, handler);
    return await promise;
  } finally {
    clearTimeout(handler.late);
    signal.removeEventListener('abort', end);
  }
}

interface Told {
  /** An answer has begun, be it an interim one. */
  onBegun(): void;
  resolve(answer: EgressAnswer): void;
  reject(reason: unknown): void;
}

type Handler = Dispatcher.DispatchHandler & {
  /** Rejects, or where the status counts by now, resolves with what there is. */
  stop(reason: unknown): void;
  late: NodeJS.Timeout | undefined;
};

function answerHandler({ maxBytes, longer }: Outgoing, { onBegun, resolve, reject }: Told): Handler {
  const cut = longer === 'cut';
  const { take, body } = collected(maxBytes);
  let answer: Omit<EgressAnswer, 'body'> | null = null;
  const handler: Handler = {
    late: undefined,
    stop(reason) {
      if (cut && answer) resolve({ ...answer, body: body(), truncated: true });
      else reject(reason);
    },
    onRequestStart() {},
    onResponseStarted: onBegun,
    onResponseStart(_controller, status, headers) {
      // Interim, RFC 9110 §15.2.
      if (status < 200) return;
      answer = { status, headers: asOfNode(headers) };
      if (cut) handler.late = setTimeout(handler.stop, BODY_MS);
      else if (announced(answer.headers) > maxBytes) reject(new EgressFailed('answer_too_large'));
    },
    onResponseData(_controller, chunk) {
      if (!take(chunk)) handler.stop(new EgressFailed('answer_too_large'));
    },
    onResponseEnd() {
      if (answer) resolve({ ...answer, body: body() });
    },
    onResponseError: (_controller, error) => handler.stop(error),
  };
  return handler;
}

/** What came several times is one value, but for cookies; undici makes a list of it. */
function asOfNode(headers: Record<string, string | string[] | undefined>): IncomingHttpHeaders {
  for (const [name, value] of Object.entries(headers))
    if (Array.isArray(value) && name !== 'set-cookie') headers[name] = value.join(', ');
  return headers;
}
