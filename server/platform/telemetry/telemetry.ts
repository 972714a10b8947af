import type { Attributes, SpanKind } from '@opentelemetry/api';

export type { Attributes };

export interface SpanOptions {
  name: string;
  kind: keyof typeof SpanKind;
  attributes: Attributes;
  /** The `traceparent` of a caller, which wins over the span around, to which there is a link then; null: a trace of its own. */
  parent?: string | null;
  /** The `traceparent` of what made this necessary, long ago perhaps. */
  cause?: string | undefined;
}

/** Something that takes time and is written down when it ends. Nothing of a record, and no text of a caller, belongs into it. */
export interface OpenSpan {
  /** What those who are called continue from (W3C Trace Context). */
  readonly traceparent: string;
  set(attributes: Attributes): void;
  /** Marks it as failed by `error.type`: a code or the name of a class, never a message, since these quote data. */
  fail(type: string): void;
  /** Runs work whose spans are below this one. */
  run<T>(work: () => T): T;
  end(): void;
}

/** Histograms of the semantic conventions, in seconds. */
export type Duration = 'http.server.request.duration' | 'mcp.server.operation.duration';

export type Signal = 'traces' | 'metrics';

/** What a node sends to a collector. Who has `Telemetry | null` does nothing where it is null, the default. */
export interface Telemetry {
  startSpan(options: SpanOptions): OpenSpan;
  /** The span around, unless it has ended: who was woken by a request is no part of it. */
  getActive(): OpenSpan | null;
  /** Runs work that belongs to nothing around. */
  runDetached<T>(work: () => T): T;
  recordDuration(name: Duration, seconds: number, attributes: Attributes): void;
  /** Calls `listener` after each export. */
  onExport(listener: (signal: Signal, error: unknown) => void): void;
  /** Sends what there is, within two seconds. */
  shutdown(): Promise<void>;
}

/** Runs work in a span, which fails as the work does. */
export async function inSpan<T>(
  telemetry: Telemetry,
  options: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  const span = telemetry.startSpan(options);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(getErrorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Returns the code of a refusal or of an error of the system, else the name of the error's class. */
export function getErrorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
