import type { IncomingMessage } from 'node:http';
import { parseMessage, RpcRefusal, type RequestId } from './json-rpc.ts';

/** How much of a body is read for its id alone, and for how long: what was refused before it came may be anything. */
const MAX_BYTES = 1024 * 1024;
const WITHIN_MS = 1_000;

interface Received {
  body: unknown;
  raw: IncomingMessage;
}

/**
 * Returns the id of the message that a refusal answers (JSON-RPC 2.0 §5) which was made before the body was read: the store is away,
 * or full. Null where there is none, and where it does not come soon.
 */
export async function readRequestId({ body, raw }: Received): Promise<RequestId> {
  const text = typeof body === 'string' ? body : await readText(raw);
  if (text === null) return null;
  try {
    return parseMessage(text).id ?? null;
  } catch (error) {
    return error instanceof RpcRefusal ? error.id : null;
  }
}

/** Not by iteration, which would destroy the request, and with it the connection of the answer. */
function readText(raw: IncomingMessage): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: Buffer): void => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) resolve(null);
  };
  const timer = setTimeout(() => resolve(null), WITHIN_MS);
  raw.on('data', keep);
  raw.once('end', () => resolve(Buffer.concat(chunks).toString()));
  raw.once('close', () => resolve(null));
  if (raw.readableEnded || raw.destroyed) resolve(null);
  return promise.finally(() => {
    clearTimeout(timer);
    raw.off('data', keep).resume();
  });
}
