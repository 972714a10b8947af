import { getErrorType, type Telemetry } from '../telemetry/telemetry.ts';
import { toReschedule, type JobKind } from './job-kind.ts';
import type { JobRow } from './jobs.sql.ts';

interface Run {
  kind: JobKind;
  job: JobRow;
  signal: AbortSignal;
}

/** What a payload may hold besides: which span enqueued it. */
interface TracedPayload {
  _meta?: { traceparent?: string };
}

/** Adds to a payload what its run is linked to; only where telemetry is on and a span around. */
export function addTraceparent<Payload>(telemetry: Telemetry, payload: Payload): Payload {
  const traceparent = telemetry.getActive()?.traceparent;
  return traceparent === undefined ? payload : { ...payload, _meta: { traceparent } };
}

/**
 * Runs a job in a trace of its own, with a link to what enqueued it: it may run a year later, and several times. Recurring jobs
 * have none: some run every two seconds.
 */
export async function runTraced(telemetry: Telemetry, { kind, job, signal }: Run): Promise<void> {
  const payload = JSON.parse(job.payload) as TracedPayload;
  const run = (): Promise<void> => kind.run(payload, signal);
  if (kind.isRecurring) return telemetry.runDetached(run);
  const span = telemetry.startSpan({
    name: `process ${kind.kind}`,
    kind: 'CONSUMER',
    attributes: {
      'messaging.system': 'chartgate',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': kind.kind,
    },
    parent: null,
    cause: payload['_meta']?.traceparent,
  });
  try {
    await span.run(run);
  } catch (error) {
    if (toReschedule(error) === null) span.fail(getErrorType(error));
    throw error;
  } finally {
    span.end();
  }
}
