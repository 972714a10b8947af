import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP's JSON has it, with its attributes as a plain object. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  attributes: Record<string, unknown>;
  links?: { traceId: string; spanId: string }[];
  /** 2: an error. */
  status: { code?: number };
}

/** An OpenTelemetry collector of the test. */
export interface OtlpCollector {
  endpoint: string;
  /** Every body, as it came. */
  bodies: string[];
  /** Their content types and our own header. */
  headers: { type: string | undefined; key: string | undefined; path: string | undefined }[];
  /** Spans of JSON bodies. */
  spans(): CollectedSpan[];
  /** Metrics of JSON bodies, by name: the attributes of each point. */
  points(name: string): Record<string, unknown>[];
  stop(): Promise<void>;
}

/** Takes what is exported over HTTP, in JSON or protobuf, of which it parses the former. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const bodies: string[] = [];
  const headers: OtlpCollector['headers'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('latin1'));
      const { 'content-type': type, 'x-collector-key': key } = request.headers;
      headers.push({ type, key: key as string | undefined, path: request.url });
      response.writeHead(200, { 'content-type': type ?? '' }).end(type === 'application/json' ? '{}' : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const parse = (): Json[] => bodies.map((body) => JSON.parse(Buffer.from(body, 'latin1').toString('utf8')));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    spans: () =>
      parse()
        .flatMap(({ resourceSpans = [] }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: toObject(span.attributes) })),
    points: (name) =>
      parse()
        .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics)
        .filter((metric) => metric.name === name)
        .flatMap(({ histogram }) => histogram.dataPoints)
        .map(({ attributes }) => toObject(attributes)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type KeyValue = { key: string; value: Record<string, unknown> };
interface Json {
  resourceSpans?: {
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes'> & { attributes: KeyValue[] })[] }[];
  }[];
  resourceMetrics?: {
    scopeMetrics: { metrics: { name: string; histogram: { dataPoints: { attributes: KeyValue[] }[] } }[] }[];
  }[];
}

const toObject = (attributes: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
