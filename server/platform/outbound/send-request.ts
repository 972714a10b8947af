import type { ClientRequest, IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { createPinnedLookup } from './pinned-lookup.ts';
import { parseContentLength, BODY_TIMEOUT_MS, createBoundedBody } from './bounded-body.ts';
import { OutboundFailedError } from './outbound-error.ts';
import type { OutboundResponse, OutboundRequest, ResolvedAddress } from './request.ts';
import type { Target } from './target.ts';

interface SendOptions {
  target: Target;
  /** The checked ones: nothing else is connected to. */
  addresses: readonly ResolvedAddress[];
  ca: string | undefined;
  signal: AbortSignal;
}

/** One request on a connection of its own. Redirects are answers like any other. */
export async function sendRequest(
  { method, headers, body, ...limits }: OutboundRequest,
  { target, addresses, ca, signal }: SendOptions,
): Promise<OutboundResponse> {
  const options: RequestOptions = {
    method,
    host: target.host,
    port: target.url.port || 443,
    path: target.url.pathname + target.url.search,
    // Compressed, a small body could become a large one.
    headers: { ...headers, 'accept-encoding': 'identity' },
    lookup: createPinnedLookup(addresses),
    // A pooled connection could be one that another check let pass.
    agent: false,
    maxHeaderSize: 16 * 1024,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
    signal,
  };
  const outgoing = https.request(options);
  try {
    outgoing.end(body);
    const incoming = await waitForResponse(outgoing);
    return {
      status: incoming.statusCode ?? 0,
      headers: incoming.headers,
      ...(await readBoundedBody(incoming, limits)),
    };
  } finally {
    outgoing.destroy();
  }
}

/** The listener for errors stays: one that comes after the answer began would end the process otherwise. */
const waitForResponse = (outgoing: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    // Without an error: after 101, which nobody asked for.
    outgoing.on('close', () => reject(new OutboundFailedError('malformed_answer')));
  });

async function readBoundedBody(
  incoming: IncomingMessage,
  { maxBytes, overflow }: Pick<OutboundRequest, 'maxBytes' | 'overflow'>,
): Promise<Pick<OutboundResponse, 'body' | 'truncated'>> {
  const canTruncate = overflow === 'cut';
  if (!canTruncate && parseContentLength(incoming.headers) > maxBytes)
    throw new OutboundFailedError('answer_too_large');
  const timer = canTruncate ? setTimeout(() => incoming.destroy(), BODY_TIMEOUT_MS) : undefined;
  const { append, body } = createBoundedBody(maxBytes);
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>)
      if (!append(chunk)) throw new OutboundFailedError('answer_too_large');
    return { body: body() };
  } catch (error) {
    if (!canTruncate) throw error;
    return { body: body(), truncated: true };
  } finally {
    clearTimeout(timer);
  }
}
