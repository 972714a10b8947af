import { z } from 'zod';
import { PROTOCOLS, SAMPLERS } from './platform/telemetry/config.ts';
import { line, pairs, url, wholeNumber } from './setting-types.ts';

const SHARE_RULE = 'must be a number from 0 to 1';

const exporter = z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).default('otlp');

/** Settings under the names that OpenTelemetry gives them. */
export const TELEMETRY_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe(
      'An OpenTelemetry collector: traces go to `/v1/traces` below it, metrics to `/v1/metrics`, over HTTP. Without it nothing is sent, and nothing of OpenTelemetry is loaded ([observability](observability.md)).',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.describe(
    'Headers for the collector, such as `authorization=Bearer%20…`.',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(PROTOCOLS, { error: `must be ${PROTOCOLS.join(' or ')}` })
    .default('http/protobuf')
    .describe('How what is sent is encoded: `http/protobuf` or `http/json`.'),
  OTEL_SERVICE_NAME: line(200).default('chartgate').describe('`service.name` of what is sent.'),
  OTEL_RESOURCE_ATTRIBUTES: pairs.describe(
    'More attributes of the resource, such as `deployment.environment.name=production`.',
  ),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, { error: `must be one of ${SAMPLERS.join(', ')}` })
    .default('parentbased_always_on')
    .describe(
      'Which traces are sent. Under those that begin with `parentbased_` a caller decides for its own requests.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .trim()
    .regex(/^(\d+(\.\d*)?|\.\d+)(e-?\d+)?$/i, { error: SHARE_RULE, abort: true })
    .transform(Number)
    .pipe(z.number({ error: SHARE_RULE }).min(0, { error: SHARE_RULE }).max(1, { error: SHARE_RULE }))
    .default(1)
    .describe('The share of traces that a sampler of a ratio keeps.'),
  OTEL_TRACES_EXPORTER: exporter.describe('`none`: no traces are sent.'),
  OTEL_METRICS_EXPORTER: exporter.describe('`none`: no metrics are sent.'),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(100)
    .default(60_000)
    .describe('Milliseconds from one export of metrics to the next.'),
  OTEL_SDK_DISABLED: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .describe('`true`: nothing is sent, whatever else is set.'),
} as const;
