import fs from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { createPooledClient, type PooledClient } from '../../server/platform/outbound/outbound-client.ts';
import { MAX_CONCURRENT_DELIVERIES } from '../../server/surfaces/webhooks/delivery/delivery-dispatcher.ts';
import { createTestAuthority } from './tls/authority.ts';
import { startTlsServer } from './tls/server.ts';

/** Somebody else's webhook endpoint, on loopback under names, as well or as badly behaved as a test wants it. */
export interface WebhookReceiver {
  /** `https://hooks.example:PORT/hook`, for requests of the outbound client; the host may be any below hooks.example. */
  url(path?: string, host?: string): string;
  /** `https://localhost:PORT/hook`, for processes that trust `authorityFile` and may deliver to private addresses. */
  localUrl(path?: string): string;
  /** Leads every name to loopback, which passes, and trusts the receiver's authority. */
  outboundClient: PooledClient;
  /** PEM file, for NODE_EXTRA_CA_CERTS. */
  authorityFile: string;
  /** In their order, from when their body had come. */
  received: ReceivedRequest[];
  /** What it answers; 204 unless replaced. */
  respond: (request: ReceivedRequest) => Reply | Promise<Reply>;
  /** What `verify` takes for the present; the clock of the service, where a test moves that. */
  now: () => Date;
  /** The payload, as the official library verifies it; throws what that throws. */
  verify(secret: string, received: ReceivedRequest): unknown;
  /** Waits for so many requests, or for what a test wants of them; throws after ten seconds unless said. */
  waitForRequests(
    expected: number | ((received: readonly ReceivedRequest[]) => boolean),
    timeoutMs?: number,
  ): Promise<void>;
  /** TCP connections since it began to listen. */
  connections(): number;
  stop(): Promise<void>;
}

export interface ReceivedRequest {
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** By the real clock, milliseconds. */
  at: number;
  /** The body, parsed; null where that is no JSON. */
  // Tests look into bodies of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  /** Says nothing, and keeps the connection. */
  hang?: boolean;
  /** Ends the connection by RST. */
  reset?: boolean;
}

const HOST = 'hooks.example';

const HOST_NAMES = [HOST, `*.${HOST}`, 'localhost', '127.0.0.1', '::1'];

/** HTTPS on a loopback port, with an authority of its own. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const authority = await createTestAuthority();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-receiver-'));
  const authorityFile = path.join(folder, 'authority.pem');
  fs.writeFileSync(authorityFile, authority.cert);
  const listener = await startTlsServer(
    (request, response) => void handle(request, response),
    await authority.issue(HOST_NAMES),
  );
  const waiting = new Set<() => void>();
  const receiver: WebhookReceiver = {
    url: (path = '/hook', host = HOST) => `https://${host}:${listener.port}${path}`,
    localUrl: (path) => receiver.url(path, 'localhost'),
    outboundClient: createPooledClient({
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      permits: (address) => address === '127.0.0.1',
      maxConnections: MAX_CONCURRENT_DELIVERIES,
      ca: authority.cert,
    }),
    authorityFile,
    received: [],
    respond: () => ({ status: 204 }),
    now: () => new Date(),
    verify: (secret, received) => verifyAt(receiver.now(), secret, received),
    waitForRequests: (expected, timeoutMs = 120_000) =>
      waitForRequests({ receiver, waiting, timeoutMs }, expected),
    connections: listener.connections,
    async stop() {
      await listener.stop();
      await receiver.outboundClient.close();
      fs.rmSync(folder, { recursive: true });
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await readRequest(request);
    if (received === null) return;
    receiver.received.push(received);
    for (const check of waiting) check();
    const { status, headers, body, delayMs = 0, hang, reset } = await receiver.respond(received);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (reset) listener.reset(request);
    else if (!hang) response.writeHead(status, headers).end(body);
  }

  return receiver;
}

/** Null: whoever asked went away in the middle. */
async function readRequest(request: IncomingMessage): Promise<ReceivedRequest | null> {
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>).catch(() => null);
  if (chunks === null) return null;
  const body = Buffer.concat(chunks).toString();
  return { path: request.url ?? '', headers: request.headers, body, at: Date.now(), json: parseJson(body) };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** The library asks `Date.now` how old the timestamp is, and takes no other clock. */
function verifyAt(now: Date, secret: string, { body, headers }: ReceivedRequest): unknown {
  const real = Date.now;
  Date.now = () => now.getTime();
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    Date.now = real;
  }
}

async function waitForRequests(
  {
    receiver: { received },
    waiting,
    timeoutMs,
  }: { receiver: WebhookReceiver; waiting: Set<() => void>; timeoutMs: number },
  expected: number | ((received: readonly ReceivedRequest[]) => boolean),
): Promise<void> {
  const isDone = typeof expected === 'number' ? () => received.length >= expected : () => expected(received);
  if (isDone()) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const check = (): void => {
    if (isDone()) resolve();
  };
  const timer = setTimeout(
    () => reject(new Error(`after ${timeoutMs} ms ${received.length} requests had come`)),
    timeoutMs,
  );
  waiting.add(check);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    waiting.delete(check);
  }
}
