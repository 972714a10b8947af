import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
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
  { method, headers, body, maxBytes }: EgressRequest,
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
      body: await bounded(incoming, maxBytes),
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

/** DNS was asked before, once: this only repeats what was checked, so a second answer cannot differ. */
const answerWith =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };

async function bounded(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (announced(incoming.headers) > maxBytes) throw new EgressFailed('answer_too_large');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new EgressFailed('answer_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

const announced = (headers: IncomingHttpHeaders): number => Number(headers['content-length'] ?? 0);
