import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Registry } from 'prom-client';
import { listImports, listSourceFiles, readSource } from '../../../test/harness/structure.ts';
import { readConfig } from '../../config.ts';
import type { Telemetry } from './telemetry.ts';
import { watchExports } from './watch-exports.ts';

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318/' };

describe('telemetry', () => {
  it('is off unless a collector is named, and where it is disabled', () => {
    assert.equal(readConfig({ OTEL_SERVICE_NAME: 'elsewhere' }).telemetry, null);
    assert.equal(readConfig({ ...COLLECTOR, OTEL_SDK_DISABLED: 'true' }).telemetry, null);
    assert.deepEqual(readConfig({ ...COLLECTOR, OTEL_EXPORTER_OTLP_HEADERS: 'a=b%2C, c=d=e' }).telemetry, {
      endpoint: 'https://collector.example:4318',
      protocol: 'http/protobuf',
      headers: { a: 'b,', c: 'd=e' },
      serviceName: 'chartgate',
      resourceAttributes: {},
      sampler: { name: 'parentbased_always_on', ratio: 1 },
      traces: true,
      metrics: true,
      metricIntervalMs: 60_000,
    });
  });

  it('names each setting that it cannot use', () => {
    const wrong = {
      ...COLLECTOR,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'secret',
      OTEL_TRACES_SAMPLER: 'jaeger_remote',
      OTEL_TRACES_SAMPLER_ARG: '2',
    };
    assert.throws(
      () => readConfig(wrong),
      /HEADERS must be names and values, such as a=1,b=2\n.*PROTOCOL must be http\/protobuf or http\/json\n.*SAMPLER must be one of .*\n.*ARG must be a number from 0 to 1$/,
    );
  });

  it('loads nothing of OpenTelemetry where it is off', () => {
    const loading = listSourceFiles(['server', 'cli']).filter((file) =>
      /^import (?!type )[^;]*'@opentelemetry\//m.test(readSource(file)),
    );
    assert.ok(loading.includes('server/platform/telemetry/open-telemetry.ts'));
    for (const file of listSourceFiles(['server', 'cli']).filter((each) => !loading.includes(each)))
      for (const imported of listImports(file).filter((each) => loading.includes(each))) {
        const name = imported.slice(imported.lastIndexOf('/') + 1);
        assert.match(
          readSource(file),
          new RegExp(`await import\\('[^']*/${name}'\\)`),
          `${file}: ${imported}`,
        );
      }
  });

  it('counts what a collector does not take, with one line in the log when that begins and ends', async () => {
    const registry = new Registry();
    const lines: string[] = [];
    const write = (...parts: unknown[]): void => void lines.push(JSON.stringify(parts));
    let report: Parameters<Telemetry['onExport']>[0] | undefined;
    const telemetry = { onExport: (listener: typeof report) => void (report = listener) };
    watchExports(telemetry as unknown as Telemetry, registry, { info: write, warn: write });
    const refused = Object.assign(new Error('connect to 10.0.0.1'), { code: 'ECONNREFUSED' });
    for (const error of [refused, refused, null, null]) report?.('traces', error);
    assert.deepEqual(lines, [
      '[{"error":"ECONNREFUSED"},"the collector does not take traces; they are dropped"]',
      '["the collector takes traces again"]',
    ]);
    assert.match(await registry.metrics(), /failed_exports_total\{signal="traces"\} 2/);
  });
});
