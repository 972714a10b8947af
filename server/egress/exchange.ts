import type { ClientRequest, IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { answerWith } from './answer-with.ts';
import { announced, BODY_MS, collected } from './collected.ts';
import { EgressFailed } from './egress-error.ts';
import type { EgressAnswer, EgressRequest, ResolvedAddress } from './request.ts';
import type { Target } from './target.ts';

interface Connection {
  target: Target;
  /** The checked ones: nothing else is connected to. */
  addresses: readonly ResolvedAddress[];
  ca: string | undefined;
  signal: AbortSignal;
}

/** One request on a connection of its own. Redirects are answers like any other. */
export async function exchange(
  { method, headers, body, ...limits }: EgressRequest,
  { target, addresses, ca, signal }: Connection,
): Promise<EgressAnswer> {
  const options: RequestOptions = {
    method,
    host: target.host,
    port: target.url.port || 443,
    path: target.url.pathname + target.url.search,
    // Compressed, a small body could become a large one.
    headers: { ...headers, 'accept-encoding': 'identity' },
    lookup: answerWith(addresses),
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
    const incoming = await answerTo(outgoing);
    return {
      status: incoming.statusCode ?? 0,
      headers: incoming.headers,
      ...(await bounded(incoming, limits)),
    };
  } finally {
    outgoing.destroy();
  }
}

/** The listener for errors stays: one that comes after the answer began would end the process otherwise. */
const answerTo = (outgoing: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    // Without an error: after 101, which nobody asked for.
    outgoing.on('close', () => reject(new EgressFailed('malformed_answer')));
  });

async function bounded(
  incoming: IncomingMessage,
  { maxBytes, longer }: Pick<EgressRequest, 'maxBytes' | 'longer'>,
): Promise<Pick<EgressAnswer, 'body' | 'truncated'>> {
  const cut = longer === 'cut';
  if (!cut && announced(incoming.headers) > maxBytes) throw new EgressFailed('answer_too_large');
  const late = cut ? setTimeout(() => incoming.destroy(), BODY_MS) : undefined;
  const { take, body } = collected(maxBytes);
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>)
      if (!take(chunk)) throw new EgressFailed('answer_too_large');
    return { body: body() };
  } catch (error) {
    if (!cut) throw error;
    return { body: body(), truncated: true };
  } finally {
    clearTimeout(late);
  }
}
