export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

export interface TelemetryConfig {
  /** Without `/v1/traces`. */
  endpoint: string;
  protocol: (typeof PROTOCOLS)[number];
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  resourceAttributes: Readonly<Record<string, string>>;
  sampler: { name: (typeof SAMPLERS)[number]; ratio: number };
  traces: boolean;
  metrics: boolean;
  metricIntervalMs: number;
}
