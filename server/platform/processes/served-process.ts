import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import { withDeadline } from '../kernel/with-deadline.ts';
import { parseMessage, type ProcessMessage, type StartFacts } from './messages.ts';

/** Whether this process is one of several that share the port (CHARTGATE_WORKERS), and another one supervises them. */
export const isOneOfSeveral = cluster.isWorker;

const ANSWER_WITHIN_MS = 5000;

const send = (message: ProcessMessage): void => void process.send?.(message);

/** Says that this process serves, and answers whoever asks for its metrics. */
export function joinProcesses(facts: StartFacts, registry: Registry): void {
  process.on('message', (received) => {
    const message = parseMessage(received);
    if (message?.chartgate !== 'metrics_wanted') return;
    registry.getMetricsAsJSON().then(
      (metrics) => send({ chartgate: 'metrics', id: message.id, metrics }),
      // Without an answer what it said last counts.
      () => {},
    );
  });
  send({ chartgate: 'ready', facts });
}

let asked = 0;

/** Returns the metrics of all processes, in Prometheus' text format. */
export function readSummedMetrics(): Promise<string> {
  const id = asked++;
  const { promise, resolve } = Promise.withResolvers<string>();
  const onMessage = (received: unknown): void => {
    const message = parseMessage(received);
    if (message?.chartgate === 'summed_metrics' && message.id === id) resolve(message.text);
  };
  process.on('message', onMessage);
  send({ chartgate: 'metrics_wanted', id });
  return withDeadline(ANSWER_WITHIN_MS, promise).finally(() => process.off('message', onMessage));
}
