import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TelemetryConfig } from './config.ts';
import type { Signal } from './telemetry.ts';

interface Exporters {
  traces: SpanExporter;
  metrics: PushMetricExporter;
}

/** Creates what sends spans and metrics. The packages read the other `OTEL_EXPORTER_OTLP_…` variables: certificates, compression. */
export async function createExporters(
  { endpoint, protocol, headers }: TelemetryConfig,
  onExport: (signal: Signal, error: unknown) => void,
): Promise<Exporters> {
  const [{ OTLPTraceExporter }, { OTLPMetricExporter }] =
    protocol === 'http/json'
      ? await Promise.all([
          import('@opentelemetry/exporter-trace-otlp-http'),
          import('@opentelemetry/exporter-metrics-otlp-http'),
        ])
      : await Promise.all([
          import('@opentelemetry/exporter-trace-otlp-proto'),
          import('@opentelemetry/exporter-metrics-otlp-proto'),
        ]);
  const build = (signal: Signal) => ({ url: `${endpoint}/v1/${signal}`, headers: { ...headers } });
  return {
    traces: watch(new OTLPTraceExporter(build('traces')), (error) => onExport('traces', error)),
    metrics: watch(new OTLPMetricExporter(build('metrics')), (error) => onExport('metrics', error)),
  };
}

type Exporting<Items> = Pick<SpanExporter, 'shutdown'> & {
  export(items: Items, done: (result: { code: number; error?: Error }) => void): void;
};

/** Reports the result of each export. The packages themselves say nothing of a collector that cannot be reached. */
function watch<Items, E extends Exporting<Items>>(exporter: E, onResult: (error: unknown) => void): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (items: Items, done: Parameters<Exporting<Items>['export']>[1]) =>
    send(items, (result) => {
      onResult(result.code === 0 ? null : (result.error ?? new Error('the export failed')));
      done(result);
    });
  return exporter;
}
