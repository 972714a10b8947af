import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { parseContentLength, BODY_TIMEOUT_MS, createBoundedBody } from './bounded-body.ts';
import { OutboundFailedError } from './outbound-error.ts';
import type { Connection } from './pooled-connection.ts';
import type { OutboundResponse, OutboundRequest } from './request.ts';

export interface PooledRequest extends Pick<
  OutboundRequest,
  'method' | 'headers' | 'body' | 'maxBytes' | 'overflow'
> {
  path: string;
}

/**
 * One request on a connection that no other request uses. When it rejects, or its answer is truncated, the connection
 * is still busy with it and has to be destroyed. `dispatch`, because `Client.request` would make a stream of a body
 * that is wanted whole.
 */
export async function sendPooledRequest(
  connection: Connection,
  request: PooledRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>();
  const { method, path, headers, body = null } = request;
  const onStarted = (): void => void (connection.state = 'answering');
  const handler = createResponseHandler(request, { onStarted, resolve, reject });
  const onAbort = (): void => handler.stop(signal.reason);
  signal.addEventListener('abort', onAbort);
  // Compressed, a small body could become a large one.
  const dispatchOptions = { method, path, headers: { ...headers, 'accept-encoding': 'identity' }, body };
  try {
    connection.client.dispatch(dispatchOptions, handler);
    return await promise;
  } finally {
    clearTimeout(handler.bodyTimer);
    signal.removeEventListener('abort', onAbort);
  }
}

interface ResponseCallbacks {
  /** An answer has begun, be it an interim one. */
  onStarted(): void;
  resolve(response: OutboundResponse): void;
  reject(reason: unknown): void;
}

type Handler = Dispatcher.DispatchHandler & {
  /** Rejects, or where the status counts by now, resolves with what there is. */
  stop(reason: unknown): void;
  bodyTimer: NodeJS.Timeout | undefined;
};

function createResponseHandler(
  { maxBytes, overflow }: PooledRequest,
  { onStarted, resolve, reject }: ResponseCallbacks,
): Handler {
  const canTruncate = overflow === 'cut';
  const { append, body } = createBoundedBody(maxBytes);
  let response: Omit<OutboundResponse, 'body'> | null = null;
  const handler: Handler = {
    bodyTimer: undefined,
    stop(reason) {
      if (canTruncate && response) resolve({ ...response, body: body(), truncated: true });
      else reject(reason);
    },
    onRequestStart() {},
    onResponseStarted: onStarted,
    onResponseStart(_controller, status, headers) {
      // Interim, RFC 9110 §15.2.
      if (status < 200) return;
      response = { status, headers: toNodeHeaders(headers) };
      if (canTruncate) handler.bodyTimer = setTimeout(handler.stop, BODY_TIMEOUT_MS);
      else if (parseContentLength(response.headers) > maxBytes)
        reject(new OutboundFailedError('answer_too_large'));
    },
    onResponseData(_controller, chunk) {
      if (!append(chunk)) handler.stop(new OutboundFailedError('answer_too_large'));
    },
    onResponseEnd() {
      if (response) resolve({ ...response, body: body() });
    },
    onResponseError: (_controller, error) => handler.stop(error),
  };
  return handler;
}

/** What came several times is one value, but for cookies; undici makes a list of it. */
function toNodeHeaders(headers: Record<string, string | string[] | undefined>): IncomingHttpHeaders {
  for (const [name, value] of Object.entries(headers))
    if (Array.isArray(value) && name !== 'set-cookie') headers[name] = value.join(', ');
  return headers;
}
