import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { TelemetryConfig } from './config.ts';

const SAMPLERS: Readonly<Record<TelemetryConfig['sampler']['name'], (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/** Builds the sampler that `OTEL_TRACES_SAMPLER` names; those that begin with `parentbased_` let a caller decide. */
export const buildSampler = ({ name, ratio }: TelemetryConfig['sampler']): Sampler => SAMPLERS[name](ratio);
