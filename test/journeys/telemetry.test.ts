import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { readConfig } from '../../server/config.ts';
import { openTelemetry } from '../../server/platform/telemetry/open-telemetry.ts';
import type { Telemetry } from '../../server/platform/telemetry/telemetry.ts';
import { startOtlpCollector, type CollectedSpan, type OtlpCollector } from '../harness/otlp-collector.ts';
import {
  call,
  callTool,
  decide,
  generateRecordArchive,
  getOrganizationToken,
  getToolText,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { createWebhookApi } from '../harness/webhooks.ts';

const AGENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const GATEWAY = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const toTraceparent = ({ traceId, spanId }: typeof AGENT): string => `00-${traceId}-${spanId}-01`;

let collector: OtlpCollector;
let receiver: WebhookReceiver;
let telemetry: Telemetry;
let service: TestService;
let patient: TestPatient;
let organizationToken: string;
let record: string;
let spans: CollectedSpan[];
let summary: string;
let metrics: string;

const find = (name: string): CollectedSpan => {
  const found = spans.find((span) => span.name === name);
  assert.ok(found, `no span ${name} among ${[...new Set(spans.map((span) => span.name))].join(', ')}`);
  return found;
};
const listBelow = (parent: CollectedSpan): CollectedSpan[] =>
  spans.filter((span) => span.parentSpanId === parent.spanId && span.traceId === parent.traceId);

const startCollected = async (more: Record<string, string>): Promise<Telemetry> => {
  const { telemetry: config } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20key',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    ...more,
  });
  assert.ok(config);
  return openTelemetry(config);
};

before(async () => {
  collector = await startOtlpCollector();
  receiver = await startWebhookReceiver();
  telemetry = await startCollected({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
  // With every metric there is, each of which can be read: nothing is put into the object store.
  const environment = {
    CHARTGATE_OBJECT_STORE_URL: 'http://127.0.0.1:9/records',
    CHARTGATE_OBJECT_STORE_ACCESS_KEY_ID: 'none',
    CHARTGATE_OBJECT_STORE_SECRET_ACCESS_KEY: 'none',
    CHARTGATE_OBJECT_STORE_WRITES: '0',
    CHARTGATE_METRICS_TOKEN: 'a-token-for-metrics',
  };
  service = await startTestService({ webhookOutbound: receiver.outboundClient, telemetry, environment });
  organizationToken = await getOrganizationToken(service);
  record = await generateRecordArchive({ years: 2 });
  await playJourney();
  await service.worker.drain();
  metrics = await service.metrics.metrics();
  await service.stop();
  await telemetry.shutdown();
  spans = collector.spans();
});
after(async () => {
  await receiver.stop();
  await collector.stop();
  rmSync(path.dirname(record), { recursive: true, force: true });
});

/** Consent, upload, tools with arguments, a read by a partner, a withdrawal whose event is delivered. */
async function playJourney(): Promise<void> {
  const webhooks = await createWebhookApi(service);
  await webhooks.createWebhook(receiver.url('/hook/secret-path'));
  patient = await newTestPatient(service);
  await upload(service, patient, record);
  summary = getToolText(await callTool(service, patient, 'get_health_summary'));
  await callTraced('tools/call', { name: 'search', arguments: { query: 'Ragnarok syndrome' } });
  await callTraced('tools/call', { name: 'get_labs', arguments: { beforeDate: 'Ragnarok' } });
  await callTraced('Ragnarok/method', {});
  await callTraced('tools/call', { name: 'Ragnarok_tool' });
  await call(service, `/FHIR/R4/Person/${patient.id}/$everything?_count=5&Ragnarok=1`, {
    token: organizationToken,
  });
  await call(service, '/Ragnarok/nowhere');
  await decide(service, patient, 'OPTED_OUT');
  await receiver.waitForRequests(1);
}

const callTraced = (method: string, params: object): Promise<unknown> =>
  call(service, '/mcp', {
    token: patient.token,
    headers: { traceparent: toTraceparent(GATEWAY), tracestate: 'shop=Ragnarok', baggage: 'user=Ragnarok' },
    json: {
      jsonrpc: '2.0',
      id: 'Ragnarok-1',
      method,
      params: {
        ...params,
        _meta: { traceparent: toTraceparent(AGENT), tracestate: 'shop=Ragnarok', baggage: 'user=Ragnarok' },
      },
    },
  });

describe('OpenTelemetry', () => {
  it('names requests by their route, in the trace of the caller', () => {
    const span = find('POST /mcp');
    assert.equal(span.kind, 2);
    assert.deepEqual(span.attributes, {
      'http.request.method': 'POST',
      'url.scheme': 'http',
      'network.protocol.version': '1.1',
      'http.route': '/mcp',
      'http.response.status_code': 200,
    });
    const traced = spans.filter((each) => each.name === 'POST /mcp' && each.traceId === GATEWAY.traceId);
    assert.equal(traced.length, 4);
    assert.deepEqual(new Set(traced.map((each) => each.parentSpanId)), new Set([GATEWAY.spanId]));
    assert.ok(find('GET /FHIR/R4/Person/:patientId/$everything'));
    assert.ok(find('GET'), 'a path that is no route');
  });

  it('puts a tool call under the traceparent in _meta, with a link to the HTTP request', () => {
    const span = find('tools/call search');
    assert.equal(span.kind, 2);
    assert.deepEqual([span.traceId, span.parentSpanId], [AGENT.traceId, AGENT.spanId]);
    assert.deepEqual(
      span.links?.map(({ traceId }) => traceId),
      [GATEWAY.traceId],
    );
    const http = spans.find((each) => each.spanId === span.links?.[0]?.spanId);
    assert.equal(http?.name, 'POST /mcp');
    assert.deepEqual(span.attributes, {
      'mcp.method.name': 'tools/call',
      'network.protocol.name': 'http',
      'network.transport': 'tcp',
      'gen_ai.tool.name': 'search',
      'gen_ai.operation.name': 'execute_tool',
    });
  });

  it('puts a tool call without one under its HTTP request, and statements under the call', () => {
    const span = find('tools/call get_health_summary');
    const parent = spans.find((each) => each.spanId === span.parentSpanId);
    assert.equal(parent?.name, 'POST /mcp');
    assert.deepEqual(span.links ?? [], []);
    const statements = listBelow(span);
    assert.ok(statements.length > 0);
    for (const { kind, name, attributes } of statements) {
      assert.equal(kind, 3);
      assert.deepEqual(attributes, { 'db.system.name': 'postgresql', 'db.query.summary': name });
    }
  });

  it('marks a failed call by its code, and names neither methods nor tools that it does not know', () => {
    const failed = spans.filter((span) => span.attributes['rpc.response.status_code'] !== undefined);
    assert.deepEqual(
      failed.map(({ name, status, attributes }) => [name, status.code, attributes['error.type']]),
      [
        ['tools/call get_labs', 2, '-32602'],
        ['_OTHER', 2, '-32601'],
        ['tools/call', 2, '-32602'],
      ],
    );
  });

  it('links a job to the request that enqueued it, in a trace of its own', () => {
    const job = spans.find((span) => span.kind === 5 && (span.links?.length ?? 0) > 0);
    assert.ok(job);
    const caller = spans.find((span) => span.spanId === job.links?.[0]?.spanId);
    assert.ok(caller);
    assert.notEqual(job.traceId, caller.traceId);
    const kinds = spans.filter((span) => span.kind === 5).map((span) => span.name);
    assert.ok(kinds.includes('process upload'), kinds.join());
    assert.ok(!kinds.some((name) => /housekeeping|audit\./.test(name)), 'recurring jobs have no span');
  });

  it('passes its trace on to the receiver of a webhook, of which it names the host alone', () => {
    const span = find('POST webhook');
    assert.equal(span.kind, 3);
    assert.equal(span.parentSpanId ?? '', '');
    assert.equal(span.attributes['server.address'], 'hooks.example');
    assert.equal(span.attributes['http.response.status_code'], 204);
    assert.equal(span.attributes['chartgate.webhook.event_type'], 'consent.withdrawn');
    const { headers } = receiver.received[0] ?? assert.fail('nothing was received');
    assert.equal(headers['traceparent'], `00-${span.traceId}-${span.spanId}-01`);
  });

  it('measures requests and tool calls by the semantic conventions', () => {
    const calls = collector.points('mcp.server.operation.duration');
    assert.ok(calls.some((point) => point['gen_ai.tool.name'] === 'search' && !('error.type' in point)));
    assert.ok(calls.some((point) => point['error.type'] === '-32602'));
    const requests = collector.points('http.server.request.duration');
    assert.ok(requests.some((point) => point['http.route'] === '/FHIR/R4/Person/:patientId/$everything'));
  });

  it('exports no name, id, argument, token, e-mail, path or text of a record or a caller', () => {
    const { organization, config } = service;
    const facts = [...summary.matchAll(/[A-Z][a-z]{5,}(?: [a-z]{4,})+/g)].map(([fact]) => fact);
    assert.ok(facts.length > 3, 'the summary has facts to look for');
    const forbidden = {
      patient: patient.id,
      email: patient.email,
      password: patient.password,
      token: patient.token.slice(0, 40),
      'organization token': organizationToken.slice(0, 40),
      organization: organization.organizationId,
      project: organization.projectId,
      key: organization.admin.apiKey,
      port: `:${config.http.port}`,
      'text of a caller': 'Ragnarok',
      'path of a webhook': 'secret-path',
      statement: ' where ',
    };
    const exported = collector.bodies.join('\n');
    for (const [what, text] of Object.entries(forbidden)) assert.ok(!exported.includes(text), what);
    for (const fact of facts) assert.ok(!exported.includes(fact), `a fact: ${fact}`);
    const ids = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
    assert.equal(new Set(exported.match(ids)).size, 1, 'only service.instance.id');
  });

  it('sends protobuf by default, with the headers that are set', async () => {
    const from = collector.bodies.length;
    const other = await startCollected({ OTEL_METRICS_EXPORTER: 'none' });
    other.startSpan({ name: 'a span', kind: 'INTERNAL', attributes: {} }).end();
    await other.shutdown();
    assert.deepEqual(collector.headers.slice(from), [
      { type: 'application/x-protobuf', key: 'a key', path: '/v1/traces' },
    ]);
    assert.match(collector.bodies.at(-1) ?? '', /a span/);
  });
});

const readDeploy = (file: string): string =>
  readFileSync(path.join(import.meta.dirname, '../../deploy', file), 'utf8');

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const overlap = ({ gridPos: one }: Panel, { gridPos: other }: Panel): boolean =>
  one.x < other.x + other.w &&
  other.x < one.x + one.w &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h;

describe('the files for Prometheus and Grafana', () => {
  const { groups } = parse(readDeploy('prometheus/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  const { panels } = JSON.parse(readDeploy('grafana/dashboard.json')) as { panels: Panel[] };
  const queries = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ];

  it('ask for metrics that the service has, by labels that it gives them', () => {
    const types = new Map(
      [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]),
    );
    assert.ok(queries.length > 30);
    for (const [where, expr] of queries) {
      const names = expr.match(/\b(?:chartgate|nodejs|process)_\w+|\bup\b/g) ?? [];
      assert.ok(names.length > 0, where);
      for (const name of names.filter((each) => each !== 'up')) {
        const histogram = name.replace(/_(?:bucket|sum|count)$/, '');
        assert.ok(types.has(name) || types.get(histogram) === 'histogram', `${where}: ${name}`);
      }
      const labels = [...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
      const known = new Set(['job', 'instance', 'kind', 'state', 'status', 'route', 'le', 'outcome']);
      assert.deepEqual(
        labels.filter((label) => !known.has(label)),
        [],
        where,
      );
    }
  });

  it('name each alert and panel once, and say what to do', () => {
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const { annotations } of rules) assert.ok(annotations['summary'] && annotations['description']);
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const [index, panel] of panels.entries())
      for (const other of panels.slice(index + 1))
        assert.ok(!overlap(panel, other), `${panel.title} lies over ${other.title}`);
  });
});
