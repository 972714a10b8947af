import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkEnvelope, type Envelope } from './check-envelope.ts';
import { forward, type Forwarded } from './forward.ts';
import { verifyDelivery, type Finding, type Received, type Verdict } from './verify-delivery.ts';

/** Everything about one delivery that is worth telling. */
export interface Told extends Received {
  verdict: Verdict;
  envelope: Envelope;
  forwarded: Forwarded | null;
  answered: number;
}

interface Receiver {
  secrets: readonly string[];
  /** Where verified deliveries go on to; null: nowhere. */
  forwardTo: URL | null;
  tell(told: Told): void;
  /** What was no delivery. */
  complain(sentence: string): void;
}

/** Many times what the service sends. */
const LARGEST = 1024 * 1024;

/** Deliveries whose ids are remembered, to recognise those that come again. */
const REMEMBERED = 10_000;

/** Answers requests: 204 or what the forward target says when it verifies, 400 when it does not. */
export function receiver(deps: Receiver): (request: IncomingMessage, response: ServerResponse) => void {
  const acknowledged = new Map<string, Date>();
  return (request, response) => {
    if (request.method !== 'POST') {
      deps.complain(`A ${request.method} request is no delivery; answered 405.`);
      answer(response, 405, { headers: { allow: 'POST' } });
      request.resume();
      return;
    }
    void receive(request, response, { ...deps, acknowledged }).catch(() => response.destroy());
  };
}

interface Deps extends Receiver {
  acknowledged: Map<string, Date>;
}

async function receive(request: IncomingMessage, response: ServerResponse, deps: Deps): Promise<void> {
  const body = await bodyOf(request);
  if (body === null) {
    deps.complain('A body of more than 1 MiB was not read; answered 413.');
    answer(response, 413);
    request.resume();
    return;
  }
  const received = { headers: request.headersDistinct, body, receivedAt: new Date() };
  const verdict = verifyDelivery(received, deps.secrets);
  const { envelope, notes } = checkEnvelope(body);
  verdict.notes.push(...notes);
  const forwarded = verdict.fault === null && deps.forwardTo ? await forward(received, deps.forwardTo) : null;
  const answered = statusOf(verdict, forwarded);
  if (verdict.fault === null) verdict.notes.push(...recognised(received, answered, deps.acknowledged));
  answer(response, answered, {
    ...(forwarded?.retryAfter && { headers: { 'retry-after': forwarded.retryAfter } }),
    ...(verdict.fault && { text: verdict.fault.message }),
  });
  deps.tell({ ...received, verdict, envelope, forwarded, answered });
}

function statusOf(verdict: Verdict, forwarded: Forwarded | null): number {
  if (verdict.fault !== null) return 400;
  return forwarded === null ? 204 : (forwarded.status ?? 502);
}

/** What was not acknowledged is sent again as it should be; only what was, is a duplicate. */
function recognised(received: Received, answered: number, acknowledged: Map<string, Date>): Finding[] {
  const id = received.headers['webhook-id']?.[0] ?? '';
  const before = acknowledged.get(id);
  if (before !== undefined)
    return [
      {
        step: 'duplicate',
        message: `This webhook-id was acknowledged already, at ${before.toISOString()}: acknowledge it again, and do not process it twice.`,
      },
    ];
  if (answered >= 200 && answered < 300) {
    acknowledged.set(id, received.receivedAt);
    const [oldest] = acknowledged.keys();
    if (acknowledged.size > REMEMBERED && oldest !== undefined) acknowledged.delete(oldest);
  }
  return [];
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LARGEST) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

interface Answer {
  headers?: Record<string, string>;
  text?: string;
}

function answer(response: ServerResponse, status: number, { headers = {}, text }: Answer = {}): void {
  const type = text === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' };
  response.writeHead(status, { ...headers, ...type });
  response.end(text);
}
