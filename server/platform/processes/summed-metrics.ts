import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { withDeadline } from '../kernel/with-deadline.ts';
import { parseMessage, type Metrics } from './messages.ts';

export interface SummedMetrics {
  contentType: Registry['contentType'];
  /** Returns the metrics of all processes, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Asks a process that is about to end what it has counted. */
  ask(process: Worker): Promise<void>;
  /** Keeps what a process had counted: sums that fell would be taken for a restart, and counted twice. */
  keep(process: Worker): Promise<void>;
}

/** Longer than queried gauges take; a process that does not answer counts as it did last. */
const ANSWER_WITHIN_MS = 3000;

/** Sums the metrics of processes: `listProcesses` returns those that serve now. */
export function createSummedMetrics(listProcesses: () => Iterable<Worker>): SummedMetrics {
  const latest = new Map<number, Metrics>();
  let ofEnded: Metrics = [];
  let asked = 0;
  const ask = async (process: Worker): Promise<void> => {
    const id = asked++;
    const metrics = await askForMetrics(process, id).catch(() => null);
    if (metrics) latest.set(process.id, metrics);
  };
  return {
    contentType: AggregatorRegistry.PROMETHEUS_CONTENT_TYPE,
    async metrics() {
      const processes = Array.from(listProcesses());
      await Promise.all(processes.map(ask));
      const all = processes.map((process) => latest.get(process.id) ?? []);
      return AggregatorRegistry.aggregate([...all, ofEnded]).metrics();
    },
    ask,
    async keep({ id }) {
      const counted = (latest.get(id) ?? []).filter(isCount);
      latest.delete(id);
      ofEnded = await AggregatorRegistry.aggregate([ofEnded, counted]).getMetricsAsJSON();
    },
  };
}

const isCount = ({ type }: Metrics[number]): boolean => ['counter', 'histogram'].includes(String(type));

function askForMetrics(process: Worker, id: number): Promise<Metrics> {
  const { promise, resolve } = Promise.withResolvers<Metrics>();
  const onMessage = (received: unknown): void => {
    const message = parseMessage(received);
    if (message?.chartgate === 'metrics' && message.id === id) resolve(message.metrics);
  };
  process.on('message', onMessage);
  if (process.isConnected()) process.send({ chartgate: 'metrics_wanted', id });
  return withDeadline(ANSWER_WITHIN_MS, promise).finally(() => process.off('message', onMessage));
}
