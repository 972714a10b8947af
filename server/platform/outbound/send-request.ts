import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Connection } from './connection.ts';
import { OutboundFailedError } from './outbound-error.ts';
import type { OutboundRequest, OutboundResponse } from './request.ts';

/** How long a body may take when the status counts without it. */
const BODY_TIMEOUT_MS = 1000;

export interface PathRequest extends OutboundRequest {
  /** Path and query of the URL. */
  path: string;
}

/**
 * Sends one request on a connection that no other request uses. When it rejects, or its answer is truncated, the
 * connection is still busy with it and has to be destroyed. By `dispatch`: `Client.request` would make a stream of a body
 * that is wanted whole.
 */
export async function sendRequest(
  connection: Connection,
  request: PathRequest & { isLast?: boolean },
  signal: AbortSignal,
): Promise<OutboundResponse> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>();
  const handler = createHandler(request, { connection, resolve, reject });
  const onAbort = (): void => handler.stop(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    connection.client.dispatch(
      {
        method: request.method,
        path: request.path,
        // Compressed, a small body could become a large one.
        headers: { ...request.headers, 'accept-encoding': 'identity' },
        body: request.body ?? null,
        ...(request.isLast && { reset: true }),
      },
      handler,
    );
    const response = await promise;
    if (!response.truncated) connection.state = 'reusable';
    return response;
  } finally {
    clearTimeout(handler.bodyTimer);
    signal.removeEventListener('abort', onAbort);
  }
}

interface HandlerDeps {
  connection: Connection;
  resolve(response: OutboundResponse): void;
  reject(reason: unknown): void;
}

interface Handler extends Dispatcher.DispatchHandler {
  /** Rejects or, where the status counts by now, resolves with what there is. */
  stop(reason: unknown): void;
  bodyTimer: NodeJS.Timeout | undefined;
}

function createHandler(
  { maxBytes, overflow }: OutboundRequest,
  { connection, resolve, reject }: HandlerDeps,
): Handler {
  const canTruncate = overflow === 'cut';
  const chunks: Buffer[] = [];
  let length = 0;
  let response: Omit<OutboundResponse, 'body'> | null = null;
  const handler: Handler = {
    bodyTimer: undefined,
    stop(reason) {
      if (canTruncate && response) resolve({ ...response, body: Buffer.concat(chunks), truncated: true });
      else reject(reason);
    },
    // undici requires it.
    onRequestStart() {},
    onResponseStarted: () => void (connection.state = 'answering'),
    onResponseStart(_controller, status, headers) {
      // Interim answers, RFC 9110 §15.2.
      if (status < 200) return;
      response = { status, headers: joinRepeated(headers) };
      if (canTruncate) handler.bodyTimer = setTimeout(handler.stop, BODY_TIMEOUT_MS);
      else if (Number(headers['content-length'] ?? 0) > maxBytes)
        reject(new OutboundFailedError('answer_too_large'));
    },
    onResponseData(_controller, chunk) {
      chunks.push(chunk.subarray(0, Math.max(0, maxBytes - length)));
      length += chunk.length;
      if (length > maxBytes) handler.stop(new OutboundFailedError('answer_too_large'));
    },
    onResponseEnd() {
      if (response) resolve({ ...response, body: Buffer.concat(chunks) });
    },
    onResponseError: (_controller, error) => handler.stop(error),
  };
  return handler;
}

/** Joins repeated headers, cookies excepted; undici makes lists of them. */
function joinRepeated(headers: Record<string, string | string[] | undefined>): IncomingHttpHeaders {
  for (const [name, value] of Object.entries(headers))
    if (Array.isArray(value) && name !== 'set-cookie') headers[name] = value.join(', ');
  return headers;
}
