import { Counter, type Registry } from 'prom-client';
import { getErrorType, type Signal, type Telemetry } from './telemetry.ts';

interface Log {
  info(message: string): void;
  warn(details: object, message: string): void;
}

/** Counts the exports that a collector did not take. The log has one line when that begins and one when it ends. */
export function watchExports(telemetry: Telemetry, registry: Registry, log: Log): void {
  const failed = new Counter({
    name: 'chartgate_telemetry_failed_exports_total',
    help: 'Exports of traces or metrics that the collector did not take',
    labelNames: ['signal'],
    registers: [registry],
  });
  const failing = new Set<Signal>();
  telemetry.onExport((signal, error) => {
    if (error === null) {
      if (failing.delete(signal)) log.info(`the collector takes ${signal} again`);
      return;
    }
    failed.inc({ signal });
    if (failing.has(signal)) return;
    failing.add(signal);
    log.warn({ error: getErrorType(error) }, `the collector does not take ${signal}; they are dropped`);
  });
}
