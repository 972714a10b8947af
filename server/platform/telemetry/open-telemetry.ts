import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Histogram,
  type Link,
  type Span,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { generateId } from '../kernel/ids.ts';
import { withDeadline } from '../kernel/with-deadline.ts';
import type { TelemetryConfig } from './config.ts';
import { createExporters } from './exporters.ts';
import { buildSampler } from './sampler.ts';
import type { Duration, OpenSpan, SpanOptions, Telemetry } from './telemetry.ts';
import { VERSION } from '../../../contract/version.ts';

/** How long a stop waits for the collector. */
const FLUSH_MS = 2_000;

/** The boundaries that the semantic conventions recommend, seconds. */
const BOUNDARIES: Readonly<Record<Duration, number[]>> = {
  'http.server.request.duration': [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  'mcp.server.operation.duration': [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
};

/**
 * Starts the OpenTelemetry SDK. Imported only where a collector is configured. Nothing is registered globally, and no library is
 * instrumented: what leaves is what this codebase names. Baggage and `tracestate` of callers are dropped, since they are text of
 * strangers that would be exported and passed on.
 */
export async function openTelemetry(config: TelemetryConfig): Promise<Telemetry> {
  const listeners = new Set<Parameters<Telemetry['onExport']>[0]>();
  const exporters = await createExporters(config, (signal, error) =>
    listeners.forEach((listener) => listener(signal, error)),
  );
  const resource = resourceFromAttributes({
    'service.version': VERSION,
    'service.instance.id': generateId(),
    ...config.resourceAttributes,
    'service.name': config.serviceName,
  });
  const tracerProvider = new TracerProvider({
    resource,
    sampler: buildSampler(config.traces ? config.sampler : { name: 'always_off', ratio: 0 }),
    spanProcessors: [new BatchSpanProcessor({ exporter: exporters.traces })],
  });
  const meterProvider = new MeterProvider({
    resource,
    readers: config.metrics
      ? [
          new PeriodicExportingMetricReader({
            exporter: exporters.metrics,
            exportIntervalMillis: config.metricIntervalMs,
            exportTimeoutMillis: Math.min(config.metricIntervalMs, 30_000),
          }),
        ]
      : [],
  });
  const durations = createDurations(meterProvider);
  return {
    ...createSpans(tracerProvider),
    recordDuration: (name, seconds, attributes) => durations[name].record(seconds, attributes),
    onExport: (listener) => void listeners.add(listener),
    async shutdown() {
      const ended = Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
      await withDeadline(FLUSH_MS, ended).catch(() => {});
    },
  };
}

function createDurations(provider: MeterProvider): Record<Duration, Histogram> {
  const meter = provider.getMeter('chartgate');
  const create = (name: Duration, description: string): Histogram =>
    meter.createHistogram(name, {
      unit: 's',
      description,
      advice: { explicitBucketBoundaries: BOUNDARIES[name] },
    });
  return {
    'http.server.request.duration': create(
      'http.server.request.duration',
      'Duration of HTTP server requests.',
    ),
    'mcp.server.operation.duration': create(
      'mcp.server.operation.duration',
      'MCP request duration as observed on the receiver.',
    ),
  };
}

function createSpans(provider: TracerProvider): Pick<Telemetry, 'startSpan' | 'getActive' | 'runDetached'> {
  const tracer = provider.getTracer('chartgate');
  const around = new AsyncLocalStorage<TracedSpan | null>();
  const getActive = (): TracedSpan | null => {
    const span = around.getStore() ?? null;
    return span === null || span.hasEnded ? null : span;
  };
  return {
    getActive,
    runDetached: (work) => around.run(null, work),
    startSpan({ name, kind, attributes, parent, cause }: SpanOptions) {
      const active = parent === null ? null : getActive();
      const remote = toRemoteContext(parent);
      const links = [remote && active?.span.spanContext(), cause && parseTraceParent(cause)]
        .filter((context) => context !== null && typeof context === 'object')
        .map((context): Link => ({ context }));
      const context = remote ?? active?.context ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: SpanKind[kind], attributes, links }, context);
      return new TracedSpan(span, around);
    },
  };
}

/** Returns the context of a caller's `traceparent`; null where it is none. */
function toRemoteContext(traceparent: string | null | undefined): Context | null {
  const remote = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  return remote && trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
}

class TracedSpan implements OpenSpan {
  readonly span: Span;
  readonly context: Context;
  readonly #around: AsyncLocalStorage<TracedSpan | null>;
  hasEnded = false;

  constructor(span: Span, around: AsyncLocalStorage<TracedSpan | null>) {
    this.span = span;
    this.context = trace.setSpan(ROOT_CONTEXT, span);
    this.#around = around;
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
  }

  run<T>(work: () => T): T {
    return this.#around.run(this, work);
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.span.end();
  }
}
