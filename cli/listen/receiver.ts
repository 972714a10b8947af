import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkEnvelope, type Envelope } from './check-envelope.ts';
import { forward, type ForwardResult } from './forward.ts';
import { verifyDelivery, type Finding, type ReceivedDelivery, type Verdict } from './verify-delivery.ts';

/** Everything about one delivery that is worth showing. */
export interface DeliveryReport extends ReceivedDelivery {
  verdict: Verdict;
  envelope: Envelope;
  forwarded: ForwardResult | null;
  responseStatus: number;
}

interface ReceiverOptions {
  secrets: readonly string[];
  /** Where verified deliveries go on to; null: nowhere. */
  forwardTo: URL | null;
  onDelivery(report: DeliveryReport): void;
  /** Called with a request that was no delivery. */
  warn(sentence: string): void;
}

/** Many times the size of what the service sends. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Deliveries whose ids are remembered, to recognize those that come again. */
const MAX_REMEMBERED_IDS = 10_000;

/** Answers requests: 204 or what the forward target says when it verifies, 400 when it does not. */
export function createReceiver(
  deps: ReceiverOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const acknowledged = new Map<string, Date>();
  return (request, response) => {
    if (request.method !== 'POST') {
      deps.warn(`A ${request.method} request is no delivery; answered 405.`);
      respond(response, 405, { headers: { allow: 'POST' } });
      request.resume();
      return;
    }
    void receive(request, response, { ...deps, acknowledged }).catch(() => response.destroy());
  };
}

interface Deps extends ReceiverOptions {
  acknowledged: Map<string, Date>;
}

async function receive(request: IncomingMessage, response: ServerResponse, deps: Deps): Promise<void> {
  const body = await readBody(request);
  if (body === null) {
    deps.warn('A body of more than 1 MiB was not read; answered 413.');
    respond(response, 413);
    request.resume();
    return;
  }
  const delivery = { headers: request.headersDistinct, body, receivedAt: new Date() };
  const verdict = verifyDelivery(delivery, deps.secrets);
  const { envelope, notes } = checkEnvelope(body);
  verdict.notes.push(...notes);
  const forwarded = verdict.fault === null && deps.forwardTo ? await forward(delivery, deps.forwardTo) : null;
  const responseStatus = chooseStatus(verdict, forwarded);
  if (verdict.fault === null)
    verdict.notes.push(...checkDuplicate(delivery, responseStatus, deps.acknowledged));
  respond(response, responseStatus, {
    ...(forwarded?.retryAfter && { headers: { 'retry-after': forwarded.retryAfter } }),
    ...(verdict.fault && { text: verdict.fault.message }),
  });
  deps.onDelivery({ ...delivery, verdict, envelope, forwarded, responseStatus });
}

function chooseStatus(verdict: Verdict, forwarded: ForwardResult | null): number {
  if (verdict.fault !== null) return 400;
  return forwarded === null ? 204 : (forwarded.status ?? 502);
}

/** A delivery that was not acknowledged is rightly sent again; only one that was is a duplicate. */
function checkDuplicate(
  delivery: ReceivedDelivery,
  responseStatus: number,
  acknowledged: Map<string, Date>,
): Finding[] {
  const id = delivery.headers['webhook-id']?.[0] ?? '';
  const acknowledgedAt = acknowledged.get(id);
  if (acknowledgedAt !== undefined)
    return [
      {
        step: 'duplicate',
        message: `This webhook-id was acknowledged already, at ${acknowledgedAt.toISOString()}: acknowledge it again, and do not process it twice.`,
      },
    ];
  if (responseStatus >= 200 && responseStatus < 300) {
    acknowledged.set(id, delivery.receivedAt);
    const [oldest] = acknowledged.keys();
    if (acknowledged.size > MAX_REMEMBERED_IDS && oldest !== undefined) acknowledged.delete(oldest);
  }
  return [];
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

interface ResponseOptions {
  headers?: Record<string, string>;
  text?: string;
}

function respond(
  response: ServerResponse,
  status: number,
  { headers = {}, text }: ResponseOptions = {},
): void {
  const type = text === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' };
  response.writeHead(status, { ...headers, ...type });
  response.end(text);
}
