import https from 'node:https';
import { readFileSync } from 'node:fs';

/**
 * An endpoint in a process of its own. `node webhook-sink.ts PORT CERTIFICATE KEY`. Acknowledges everything, but what is
 * posted below /dead, which it never answers. Its parent asks for what came since it last asked, or waits for so many.
 */
const [, , port, cert = '', key = ''] = process.argv;

export interface Arrivals {
  /** Milliseconds, from the envelope's time to the arrival; of first attempts at endpoints that answer. */
  waits: number[];
  count: number;
  /** When the first and the last arrived, milliseconds. */
  first: number;
  last: number;
}

let arrivals: Arrivals = createArrivals();
let wanted = Infinity;

const server = https.createServer(
  { cert: readFileSync(cert), key: readFileSync(key), keepAliveTimeout: 60_000 },
  (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url?.startsWith('/dead')) return;
      recordArrival(Buffer.concat(chunks));
      response.writeHead(204).end();
    });
  },
);
server.listen(Number(port), '127.0.0.1', () => process.send?.('listening'));

function recordArrival(body: Buffer): void {
  const now = Date.now();
  // Without parsing: the sink is not to be what is measured.
  const at = body.indexOf('"timestamp":"') + 13;
  const timestamp = Date.parse(body.toString('latin1', at, at + 24));
  if (!Number.isNaN(timestamp)) arrivals.waits.push(now - timestamp);
  arrivals.first ||= now;
  arrivals.last = now;
  if (++arrivals.count >= wanted) report();
}

function report(): void {
  wanted = Infinity;
  process.send?.(arrivals);
  arrivals = createArrivals();
}

process.on('message', (message: 'report' | { count: number }) => {
  if (message === 'report') report();
  else if (arrivals.count >= (wanted = message.count)) report();
});

function createArrivals(): Arrivals {
  return { waits: [], count: 0, first: 0, last: 0 };
}
